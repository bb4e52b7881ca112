# The viewer's page: built by npm from web/ inside the build folder, then embedded in the target
# `sinew` as a generated source. Without npm a page that says what is missing is embedded instead.

set(web_source ${PROJECT_SOURCE_DIR}/web)
set(web_build ${PROJECT_BINARY_DIR}/web)
set(embed_script ${PROJECT_SOURCE_DIR}/cmake/embed_assets.cmake)

if(SINEW_WEB)
  find_program(NPM_EXECUTABLE npm)
  if(NOT NPM_EXECUTABLE)
    message(WARNING "npm was not found: `sinew view` will have no page. Install npm (Debian: "
                    "apt install npm) and configure again, or pass -DSINEW_WEB=OFF.")
  endif()
endif()

if(SINEW_WEB AND NPM_EXECUTABLE)
  set(assets_folder ${web_build}/dist)
  set(assets_are_page true)
  file(GLOB web_pages CONFIGURE_DEPENDS ${web_source}/*.html)
  file(GLOB web_sources CONFIGURE_DEPENDS ${web_source}/src/* ${web_source}/parts/*
       ${web_source}/public/*)
  list(APPEND web_sources ${web_pages} ${web_source}/vite.config.ts ${web_source}/tsconfig.json)
  set(lock_files ${web_source}/package.json ${web_source}/package-lock.json)

  # Packages are fetched again only when the lock file changes.
  add_custom_command(
    OUTPUT ${web_build}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${web_build}
    COMMAND ${CMAKE_COMMAND} -E copy ${lock_files} ${web_build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${web_build} ${NPM_EXECUTABLE} ci --prefer-offline --no-audit
            --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${web_build}/packages.stamp
    DEPENDS ${lock_files}
    COMMENT "Fetching the viewer's packages (npm ci; -DSINEW_WEB=OFF builds without the page)"
    VERBATIM)
  add_custom_command(
    OUTPUT ${web_build}/page.stamp
    # A file that is gone from web/ must not stay in the copy.
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${web_build}/src ${web_build}/parts ${web_build}/public
            ${web_build}/dist
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${web_source}/src ${web_build}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${web_source}/parts ${web_build}/parts
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${web_source}/public ${web_build}/public
    COMMAND ${CMAKE_COMMAND} -E copy ${web_pages} ${web_source}/vite.config.ts
            ${web_source}/tsconfig.json ${web_build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${web_build} ${NPM_EXECUTABLE} run build --silent
    COMMAND ${CMAKE_COMMAND} -E touch ${web_build}/page.stamp
    DEPENDS ${web_build}/packages.stamp ${web_sources}
    COMMENT "Building the viewer's page"
    VERBATIM)
  set(assets_depend ${web_build}/page.stamp)
else()
  set(assets_folder ${web_source}/missing)
  set(assets_are_page false)
  set(assets_depend ${web_source}/missing/index.html)
endif()

# Named by what it holds, so that turning SINEW_WEB on or off never leaves a stale one.
set(assets_file ${PROJECT_BINARY_DIR}/assets_page_${assets_are_page}.cc)
add_custom_command(
  OUTPUT ${assets_file}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${assets_folder} -DOUTPUT=${assets_file}
          -DIS_PAGE=${assets_are_page} -P ${embed_script}
  DEPENDS ${assets_depend} ${embed_script}
  COMMENT "Embedding the viewer's page"
  VERBATIM)
target_sources(sinew PRIVATE ${assets_file})
target_include_directories(sinew PRIVATE ${PROJECT_SOURCE_DIR}/apps/sinew)
