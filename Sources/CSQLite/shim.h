// The functions of SQLite, which is opened when a database is first used and not linked: every command would pay for it.
#pragma once

#include <dlfcn.h>
#include <sqlite3.h>
#include <stddef.h>

#define C_SQLITE_FUNCTIONS(F) \
    F(open_v2) F(close_v2) F(prepare_v2) F(finalize) F(step) F(reset) F(bind_null) F(bind_int64) F(bind_text) F(bind_blob) \
    F(column_count) F(column_type) F(column_int64) F(column_text) F(column_blob) F(column_bytes) F(errmsg)

struct c_sqlite {
#define C_SQLITE_MEMBER(function) __typeof__(sqlite3_##function) *function;
    C_SQLITE_FUNCTIONS(C_SQLITE_MEMBER)
#undef C_SQLITE_MEMBER
};

typedef const struct c_sqlite *c_sqlite_table;

// Opens the library by its file name and fills the table. Returns NULL, or why it cannot be used; a library that was
// opened is never closed.
static inline const char *c_sqlite_open(struct c_sqlite *sqlite, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
#define C_SQLITE_FIND(function) \
    if ((sqlite->function = (__typeof__(sqlite3_##function) *)dlsym(library, "sqlite3_" #function)) == NULL) return dlerror();
    C_SQLITE_FUNCTIONS(C_SQLITE_FIND)
#undef C_SQLITE_FIND
    return NULL;
}

// The value is copied: SQLITE_TRANSIENT is a cast that Swift does not see.
static inline int c_sqlite_bind_text(
    c_sqlite_table sqlite, sqlite3_stmt *_Nonnull statement, int index, const char *_Nonnull text, int count
) {
    return sqlite->bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}
static inline int c_sqlite_bind_blob(
    c_sqlite_table sqlite, sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, int count
) {
    // No address would be NULL, and not an empty value.
    return sqlite->bind_blob(statement, index, bytes == NULL ? "" : bytes, count, SQLITE_TRANSIENT);
}
