/* gs_metal_calls.h -- Objective-C from plain C: the run-time library found by dlopen, and a function for every method.
 *
 * A call casts the method's implementation to its exact type, as arm64 passes the arguments of a variadic call elsewhere.
 * No SDK is needed to compile this, and a missing framework is a message, not a crash before main. */
#ifndef GS_METAL_CALLS_H
#define GS_METAL_CALLS_H

/* MTLSize. */
struct gs_mtl_size {
    unsigned long width, height, depth;
};

typedef void (*gs_function)(void);

/* The run-time library's entry points, NULL before gs_objc_load. */
struct gs_objc {
#define GS_SYMBOL(member, library, name, result, types) result(*member) types;
#include "gs_metal_selectors.h"
#undef GS_SYMBOL
};

extern struct gs_objc gs_objc;

/* Finds the entry points: on a Mac in the system's libraries, elsewhere in the emulator at `emulator`. Returns NULL, or what
 * could not be loaded. */
const char *gs_objc_load(const char *emulator);

static inline gs_function gs_method(void *object, void *selector) {
    return gs_objc.implementation(gs_objc.class_of(object), selector);
}

/* True if the object's class has the method itself; only for methods that some versions of the system lack. */
static inline int gs_responds(void *object, const char *selector) {
    return gs_objc.responds(gs_objc.class_of(object), gs_objc.register_selector(selector)) != 0;
}

#define GS_METHOD(function, owner, name, result, types, parameters, arguments)                                         \
    static inline result function parameters {                                                                         \
        void *selector = gs_objc.register_selector(name);                                                              \
        return ((result(*) types)gs_method(self, selector))arguments;                                                  \
    }
#define GS_VOID_METHOD(function, owner, name, types, parameters, arguments)                                            \
    static inline void function parameters {                                                                           \
        void *selector = gs_objc.register_selector(name);                                                              \
        ((void (*) types)gs_method(self, selector))arguments;                                                          \
    }
#define GS_CLASS_METHOD(function, owner, name, result, types, parameters, arguments)                                   \
    static inline result function parameters {                                                                         \
        void *self = gs_objc.get_class(owner), *selector = gs_objc.register_selector(name);                            \
        return ((result(*) types)gs_method(self, selector))arguments;                                                  \
    }
#include "gs_metal_selectors.h"
#undef GS_METHOD
#undef GS_VOID_METHOD
#undef GS_CLASS_METHOD

#endif
