# `cmake --install` gives the program, the library, the headers that users need and a CMake package: find_package(hsvm),
# hsvm::hsvm.
include(CMakePackageConfigHelpers)
set(HSVM_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/hsvm)

install(TARGETS hsvm EXPORT hsvmTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hsvm_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET hsvm_mpi)
  install(TARGETS hsvm_mpi LIBRARY DESTINATION lib/hsvm)
endif()
# The manual and what shells need to complete command lines are made by the program itself, when it is installed.
set(HSVM_MANUAL ${PROJECT_BINARY_DIR}/manual)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DPROGRAM=$<TARGET_FILE:hsvm_cli>\" \"-DFOLDER=${HSVM_MANUAL}\"
                              -P \"${PROJECT_SOURCE_DIR}/cmake/manual.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${HSVM_MANUAL}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${HSVM_MANUAL}/hsvm.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME hsvm)
install(FILES ${HSVM_MANUAL}/hsvm.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _hsvm)
install(FILES ${HSVM_MANUAL}/hsvm.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(CODE "set(HSVM_SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")
              set(HSVM_INCLUDE_DIR \"${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT cmake/install_headers.cmake)
install(EXPORT hsvmTargets NAMESPACE hsvm:: DESTINATION ${HSVM_PACKAGE})
configure_package_config_file(cmake/hsvmConfig.cmake.in ${PROJECT_BINARY_DIR}/hsvmConfig.cmake
                              INSTALL_DESTINATION ${HSVM_PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hsvmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hsvmConfig.cmake ${PROJECT_BINARY_DIR}/hsvmConfigVersion.cmake
        DESTINATION ${HSVM_PACKAGE})
