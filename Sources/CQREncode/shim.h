// The functions of libqrencode, which is opened when a QR code is first drawn and not linked: every command would pay for it.
#pragma once

#include <dlfcn.h>
#include <qrencode.h>
#include <stddef.h>

struct c_qrencode {
    __typeof__(QRcode_encodeString8bit) *encode_string_8bit;
    __typeof__(QRcode_free) *free;
};

typedef const struct c_qrencode *c_qrencode_table;

// Opens the library by its file name and fills the table. Returns NULL, or why it cannot be used; a library that was
// opened is never closed.
static inline const char *c_qrencode_open(struct c_qrencode *qrencode, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
#define C_QRENCODE_FIND(member, function) \
    if ((qrencode->member = (__typeof__(function) *)dlsym(library, #function)) == NULL) return dlerror()
    C_QRENCODE_FIND(encode_string_8bit, QRcode_encodeString8bit);
    C_QRENCODE_FIND(free, QRcode_free);
#undef C_QRENCODE_FIND
    return NULL;
}
