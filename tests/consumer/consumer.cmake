# The rest of both consumer projects: one program that uses one narrow header.
foreach(property INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS INTERFACE_LINK_LIBRARIES)
  get_target_property(value lamina::lamina ${property})
  if(value)
    message(FATAL_ERROR "lamina::lamina imposes on its consumers: ${property} ${value}")
  endif()
endforeach()
add_executable(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer.cpp)
target_link_libraries(consumer PRIVATE lamina::lamina)
target_compile_options(consumer PRIVATE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Werror)
