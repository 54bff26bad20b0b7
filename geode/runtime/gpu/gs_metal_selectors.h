/* gs_metal_selectors.h -- the one list of what Geode calls of Metal and Foundation: entry points, then methods.
 *
 * GS_SYMBOL(member, library, name, result, types): a C function that the host looks up by name.
 * GS_METHOD(function, owner, selector, result, types, parameters, arguments): a method; GS_VOID_METHOD the same without a
 * result, GS_CLASS_METHOD one of the class itself. `types` are those of the implementation, object and selector first.
 * The host makes its calls from this list (gs_metal_calls.h), the emulator its table of methods, so that a name or type
 * that is wrong on one side is wrong on both, and tests/metal/ compares the names with Apple's. Included several times. */

#ifdef GS_SYMBOL
GS_SYMBOL(get_class, GS_OBJC, "objc_getClass", void *, (const char *))
GS_SYMBOL(register_selector, GS_OBJC, "sel_registerName", void *, (const char *))
GS_SYMBOL(class_of, GS_OBJC, "object_getClass", void *, (void *))
GS_SYMBOL(implementation, GS_OBJC, "class_getMethodImplementation", gs_function, (void *, void *))
GS_SYMBOL(responds, GS_OBJC, "class_respondsToSelector", signed char, (void *, void *))
GS_SYMBOL(push_pool, GS_OBJC, "objc_autoreleasePoolPush", void *, (void))
GS_SYMBOL(pop_pool, GS_OBJC, "objc_autoreleasePoolPop", void, (void *))
GS_SYMBOL(default_device, GS_METAL, "MTLCreateSystemDefaultDevice", void *, (void))
GS_SYMBOL(all_devices, GS_METAL, "MTLCopyAllDevices", void *, (void))
#endif

#ifdef GS_METHOD
GS_CLASS_METHOD(mtl_string, "NSString", "stringWithUTF8String:", void *, (void *, void *, const char *), (const char *text),
                (self, selector, text))
GS_METHOD(mtl_text, "NSString", "UTF8String", const char *, (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_count, "NSArray", "count", unsigned long, (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_item, "NSArray", "objectAtIndex:", void *, (void *, void *, unsigned long), (void *self, unsigned long place),
          (self, selector, place))
GS_METHOD(mtl_message, "NSError", "localizedDescription", void *, (void *, void *), (void *self), (self, selector))
GS_VOID_METHOD(mtl_release, "NSObject", "release", (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_retain, "NSObject", "retain", void *, (void *, void *), (void *self), (self, selector))

GS_CLASS_METHOD(mtl_new_options, "MTLCompileOptions", "new", void *, (void *, void *), (void), (self, selector))
GS_VOID_METHOD(mtl_set_math_mode, "MTLCompileOptions", "setMathMode:", (void *, void *, long), (void *self, long mode),
               (self, selector, mode))
GS_VOID_METHOD(mtl_set_fast_math, "MTLCompileOptions", "setFastMathEnabled:", (void *, void *, signed char),
               (void *self, signed char enabled), (self, selector, enabled))

GS_METHOD(mtl_name, "MTLDevice", "name", void *, (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_unified, "MTLDevice", "hasUnifiedMemory", signed char, (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_most_bytes, "MTLDevice", "maxBufferLength", unsigned long, (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_new_queue, "MTLDevice", "newCommandQueue", void *, (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_new_buffer, "MTLDevice", "newBufferWithLength:options:", void *, (void *, void *, unsigned long, unsigned long),
          (void *self, unsigned long bytes, unsigned long options), (self, selector, bytes, options))
GS_METHOD(mtl_new_library, "MTLDevice", "newLibraryWithSource:options:error:", void *,
          (void *, void *, void *, void *, void **), (void *self, void *source, void *options, void **error),
          (self, selector, source, options, error))
GS_METHOD(mtl_new_pipeline, "MTLDevice", "newComputePipelineStateWithFunction:error:", void *,
          (void *, void *, void *, void **), (void *self, void *function, void **error), (self, selector, function, error))
GS_METHOD(mtl_new_function, "MTLLibrary", "newFunctionWithName:", void *, (void *, void *, void *), (void *self, void *name),
          (self, selector, name))
GS_METHOD(mtl_most_threads, "MTLComputePipelineState", "maxTotalThreadsPerThreadgroup", unsigned long, (void *, void *),
          (void *self), (self, selector))
GS_METHOD(mtl_contents, "MTLBuffer", "contents", void *, (void *, void *), (void *self), (self, selector))

GS_METHOD(mtl_command_buffer, "MTLCommandQueue", "commandBuffer", void *, (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_encoder, "MTLCommandBuffer", "computeCommandEncoder", void *, (void *, void *), (void *self), (self, selector))
GS_VOID_METHOD(mtl_commit, "MTLCommandBuffer", "commit", (void *, void *), (void *self), (self, selector))
GS_VOID_METHOD(mtl_wait, "MTLCommandBuffer", "waitUntilCompleted", (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_status, "MTLCommandBuffer", "status", unsigned long, (void *, void *), (void *self), (self, selector))
GS_METHOD(mtl_error, "MTLCommandBuffer", "error", void *, (void *, void *), (void *self), (self, selector))
GS_VOID_METHOD(mtl_set_pipeline, "MTLComputeCommandEncoder", "setComputePipelineState:", (void *, void *, void *),
               (void *self, void *pipeline), (self, selector, pipeline))
GS_VOID_METHOD(mtl_set_buffer, "MTLComputeCommandEncoder", "setBuffer:offset:atIndex:",
               (void *, void *, void *, unsigned long, unsigned long),
               (void *self, void *buffer, unsigned long offset, unsigned long place), (self, selector, buffer, offset, place))
GS_VOID_METHOD(mtl_set_bytes, "MTLComputeCommandEncoder", "setBytes:length:atIndex:",
               (void *, void *, const void *, unsigned long, unsigned long),
               (void *self, const void *bytes, unsigned long length, unsigned long place),
               (self, selector, bytes, length, place))
GS_VOID_METHOD(mtl_dispatch, "MTLComputeCommandEncoder", "dispatchThreadgroups:threadsPerThreadgroup:",
               (void *, void *, struct gs_mtl_size, struct gs_mtl_size),
               (void *self, struct gs_mtl_size groups, struct gs_mtl_size threads), (self, selector, groups, threads))
GS_VOID_METHOD(mtl_end, "MTLComputeCommandEncoder", "endEncoding", (void *, void *), (void *self), (self, selector))
#endif
