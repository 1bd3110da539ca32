// The functions of zlib, which is opened when the first archive is read and not linked: every command would pay for it.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <zlib.h>

struct c_zlib {
    __typeof__(inflateInit2_) *inflate_init;
    __typeof__(inflate) *inflate;
    __typeof__(inflateEnd) *inflate_end;
    __typeof__(crc32) *crc32;
};

// Opens the library by its file name and fills the table. Returns NULL, or why it cannot be used; a library that was
// opened is never closed.
static inline const char *c_zlib_open(struct c_zlib *zlib, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
#define C_ZLIB_FIND(member, symbol) \
    if ((zlib->member = (__typeof__(symbol) *)dlsym(library, #symbol)) == NULL) return dlerror()
    C_ZLIB_FIND(inflate_init, inflateInit2_);
    C_ZLIB_FIND(inflate, inflate);
    C_ZLIB_FIND(inflate_end, inflateEnd);
    C_ZLIB_FIND(crc32, crc32);
#undef C_ZLIB_FIND
    return NULL;
}

typedef const struct c_zlib *c_zlib_table;

// For data without a header, as in archives, and windows of any size.
static inline int c_inflate_init(c_zlib_table zlib, z_stream *_Nonnull stream) {
    return zlib->inflate_init(stream, -15, ZLIB_VERSION, (int)sizeof(z_stream));
}
static inline int c_inflate(c_zlib_table zlib, z_stream *_Nonnull stream) {
    return zlib->inflate(stream, Z_NO_FLUSH);
}
static inline void c_inflate_end(c_zlib_table zlib, z_stream *_Nonnull stream) { zlib->inflate_end(stream); }
static inline unsigned int c_crc32(
    c_zlib_table zlib, unsigned int sum, const unsigned char *_Nullable bytes, unsigned int count
) {
    return (unsigned int)zlib->crc32(sum, bytes, count);
}
