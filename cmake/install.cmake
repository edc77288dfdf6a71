# `cmake --install` gives the program, the library, the headers that users need and a CMake package: find_package(hsvm),
# hsvm::hsvm.
include(CMakePackageConfigHelpers)
set(HSVM_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/hsvm)

install(TARGETS hsvm EXPORT hsvmTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hsvm_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(CODE "set(HSVM_SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")
              set(HSVM_INCLUDE_DIR \"${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT cmake/install_headers.cmake)
install(EXPORT hsvmTargets NAMESPACE hsvm:: DESTINATION ${HSVM_PACKAGE})
configure_package_config_file(cmake/hsvmConfig.cmake.in ${PROJECT_BINARY_DIR}/hsvmConfig.cmake
                              INSTALL_DESTINATION ${HSVM_PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hsvmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hsvmConfig.cmake ${PROJECT_BINARY_DIR}/hsvmConfigVersion.cmake
        DESTINATION ${HSVM_PACKAGE})
