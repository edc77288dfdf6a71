# `cmake --install` gives the program, the library, its headers and a CMake package: find_package(hsvm), hsvm::hsvm.
include(CMakePackageConfigHelpers)
set(HSVM_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/hsvm)

install(TARGETS hsvm EXPORT hsvmTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hsvm_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY hsvm/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hsvm FILES_MATCHING PATTERN "*.hpp"
        PATTERN json_parts.hpp EXCLUDE) # it needs the JSON package
install(EXPORT hsvmTargets NAMESPACE hsvm:: DESTINATION ${HSVM_PACKAGE})
configure_package_config_file(cmake/hsvmConfig.cmake.in ${PROJECT_BINARY_DIR}/hsvmConfig.cmake
                              INSTALL_DESTINATION ${HSVM_PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hsvmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hsvmConfig.cmake ${PROJECT_BINARY_DIR}/hsvmConfigVersion.cmake
        DESTINATION ${HSVM_PACKAGE})
