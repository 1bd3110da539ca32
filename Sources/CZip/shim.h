// The functions of libzip, which is opened when the first archive is read and not linked: every command would pay for
// it.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <zip.h>

struct c_zip {
    __typeof__(zip_fdopen) *fdopen;
    __typeof__(zip_discard) *discard;
    __typeof__(zip_get_num_entries) *get_num_entries;
    __typeof__(zip_get_name) *get_name;
    __typeof__(zip_stat_index) *stat_index;
    __typeof__(zip_fopen_index) *fopen_index;
    __typeof__(zip_fread) *fread;
    __typeof__(zip_fclose) *fclose;
    __typeof__(zip_get_error) *get_error;
    __typeof__(zip_file_get_error) *file_get_error;
    __typeof__(zip_error_init_with_code) *error_init_with_code;
    __typeof__(zip_error_fini) *error_fini;
    __typeof__(zip_error_strerror) *error_strerror;
};

// Opens the library by its file name and fills the table. Returns NULL, or why it cannot be used; a library that was
// opened is never closed.
static inline const char *c_zip_open(struct c_zip *zip, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
#define C_ZIP_FIND(member, symbol) \
    if ((zip->member = (__typeof__(symbol) *)dlsym(library, #symbol)) == NULL) return dlerror()
    C_ZIP_FIND(fdopen, zip_fdopen);
    C_ZIP_FIND(discard, zip_discard);
    C_ZIP_FIND(get_num_entries, zip_get_num_entries);
    C_ZIP_FIND(get_name, zip_get_name);
    C_ZIP_FIND(stat_index, zip_stat_index);
    C_ZIP_FIND(fopen_index, zip_fopen_index);
    C_ZIP_FIND(fread, zip_fread);
    C_ZIP_FIND(fclose, zip_fclose);
    C_ZIP_FIND(get_error, zip_get_error);
    C_ZIP_FIND(file_get_error, zip_file_get_error);
    C_ZIP_FIND(error_init_with_code, zip_error_init_with_code);
    C_ZIP_FIND(error_fini, zip_error_fini);
    C_ZIP_FIND(error_strerror, zip_error_strerror);
#undef C_ZIP_FIND
    return NULL;
}

typedef const struct c_zip *c_zip_table;

static inline zip_t *_Nullable c_zip_fdopen(c_zip_table zip, int descriptor, int *code) {
    return zip->fdopen(descriptor, 0, code);
}
static inline void c_zip_discard(c_zip_table zip, zip_t *_Nonnull archive) { zip->discard(archive); }
static inline zip_int64_t c_zip_get_num_entries(c_zip_table zip, zip_t *_Nonnull archive) {
    return zip->get_num_entries(archive, ZIP_FL_UNCHANGED);
}
// The name as it is in the archive, which need not be UTF-8.
static inline const char *_Nullable c_zip_get_name(c_zip_table zip, zip_t *_Nonnull archive, zip_uint64_t index) {
    return zip->get_name(archive, index, ZIP_FL_ENC_RAW | ZIP_FL_UNCHANGED);
}
// The compression method of an entry; -1 if it is encrypted or not known.
static inline int c_zip_method(c_zip_table zip, zip_t *_Nonnull archive, zip_uint64_t index) {
    zip_stat_t status;
    if (zip->stat_index(archive, index, ZIP_FL_UNCHANGED, &status) != 0) return -1;
    if ((status.valid & ZIP_STAT_COMP_METHOD) == 0) return -1;
    if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE) return -1;
    return status.comp_method;
}
static inline zip_file_t *_Nullable c_zip_fopen_index(c_zip_table zip, zip_t *_Nonnull archive, zip_uint64_t index) {
    return zip->fopen_index(archive, index, ZIP_FL_UNCHANGED);
}
static inline zip_int64_t c_zip_fread(c_zip_table zip, zip_file_t *_Nonnull file, void *_Nonnull buffer, zip_uint64_t count) {
    return zip->fread(file, buffer, count);
}
static inline void c_zip_fclose(c_zip_table zip, zip_file_t *_Nonnull file) { zip->fclose(file); }
// What the library says about the latest failure of an archive or an entry; the text is valid until the next call.
static inline const char *_Nullable c_zip_strerror(c_zip_table zip, zip_t *_Nonnull archive) {
    return zip->error_strerror(zip->get_error(archive));
}
static inline const char *_Nullable c_zip_file_strerror(c_zip_table zip, zip_file_t *_Nonnull file) {
    return zip->error_strerror(zip->file_get_error(file));
}
