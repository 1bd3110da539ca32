// The functions of libpq, which is opened when a store is first used and not linked: it brings twenty other libraries with it,
// which would cost every start of every command.
#pragma once

#include <dlfcn.h>
#include <stdint.h>
#include <postgresql/libpq-fe.h>

typedef struct {
    __typeof__(PQconninfoParse) *conninfo_parse;
    __typeof__(PQconninfo) *conninfo;
    __typeof__(PQconninfoFree) *conninfo_free;
    __typeof__(PQfreemem) *freemem;
    __typeof__(PQconnectdbParams) *connect;
    __typeof__(PQconnectStartParams) *connect_start;
    __typeof__(PQfinish) *finish;
    __typeof__(PQstatus) *status;
    __typeof__(PQerrorMessage) *error_message;
    __typeof__(PQconnectionNeedsPassword) *needs_password;
    __typeof__(PQconnectionUsedPassword) *used_password;
    __typeof__(PQserverVersion) *server_version;
    __typeof__(PQbackendPID) *backend_pid;
    __typeof__(PQsocket) *socket;
    __typeof__(PQhost) *host;
    __typeof__(PQport) *port;
    __typeof__(PQtransactionStatus) *transaction_status;
    __typeof__(PQsetnonblocking) *set_nonblocking;
    __typeof__(PQsetNoticeReceiver) *set_notice_receiver;
    __typeof__(PQsendQuery) *send_query;
    __typeof__(PQsendQueryParams) *send_query_params;
    __typeof__(PQsetSingleRowMode) *set_single_row_mode;
    __typeof__(PQflush) *flush;
    __typeof__(PQconsumeInput) *consume_input;
    __typeof__(PQisBusy) *is_busy;
    __typeof__(PQgetResult) *get_result;
    __typeof__(PQnotifies) *notifies;
    __typeof__(PQresultStatus) *result_status;
    __typeof__(PQresultErrorField) *error_field;
    __typeof__(PQcmdStatus) *command_status;
    __typeof__(PQcmdTuples) *command_rows;
    __typeof__(PQntuples) *row_count;
    __typeof__(PQnfields) *column_count;
    __typeof__(PQftype) *column_type;
    __typeof__(PQgetvalue) *value;
    __typeof__(PQgetlength) *length;
    __typeof__(PQgetisnull) *is_null;
    __typeof__(PQclear) *clear;
} c_pq_functions;

typedef const c_pq_functions *c_pq_table;

// Opens the library by its file name and fills the table. Returns NULL, or why it cannot be used; that is the loader's
// memory, until its next call. A library that was opened is never closed.
static inline const char *c_pq_open(c_pq_functions *pq, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define C_PQ_FIND(member, symbol) \
    if ((pq->member = (__typeof__(symbol) *)dlsym(library, #symbol)) == NULL) return dlerror()
    C_PQ_FIND(conninfo_parse, PQconninfoParse);
    C_PQ_FIND(conninfo, PQconninfo);
    C_PQ_FIND(conninfo_free, PQconninfoFree);
    C_PQ_FIND(freemem, PQfreemem);
    C_PQ_FIND(connect, PQconnectdbParams);
    C_PQ_FIND(connect_start, PQconnectStartParams);
    C_PQ_FIND(finish, PQfinish);
    C_PQ_FIND(status, PQstatus);
    C_PQ_FIND(error_message, PQerrorMessage);
    C_PQ_FIND(needs_password, PQconnectionNeedsPassword);
    C_PQ_FIND(used_password, PQconnectionUsedPassword);
    C_PQ_FIND(server_version, PQserverVersion);
    C_PQ_FIND(backend_pid, PQbackendPID);
    C_PQ_FIND(socket, PQsocket);
    C_PQ_FIND(host, PQhost);
    C_PQ_FIND(port, PQport);
    C_PQ_FIND(transaction_status, PQtransactionStatus);
    C_PQ_FIND(set_nonblocking, PQsetnonblocking);
    C_PQ_FIND(set_notice_receiver, PQsetNoticeReceiver);
    C_PQ_FIND(send_query, PQsendQuery);
    C_PQ_FIND(send_query_params, PQsendQueryParams);
    C_PQ_FIND(set_single_row_mode, PQsetSingleRowMode);
    C_PQ_FIND(flush, PQflush);
    C_PQ_FIND(consume_input, PQconsumeInput);
    C_PQ_FIND(is_busy, PQisBusy);
    C_PQ_FIND(get_result, PQgetResult);
    C_PQ_FIND(notifies, PQnotifies);
    C_PQ_FIND(result_status, PQresultStatus);
    C_PQ_FIND(error_field, PQresultErrorField);
    C_PQ_FIND(command_status, PQcmdStatus);
    C_PQ_FIND(command_rows, PQcmdTuples);
    C_PQ_FIND(row_count, PQntuples);
    C_PQ_FIND(column_count, PQnfields);
    C_PQ_FIND(column_type, PQftype);
    C_PQ_FIND(value, PQgetvalue);
    C_PQ_FIND(length, PQgetlength);
    C_PQ_FIND(is_null, PQgetisnull);
    C_PQ_FIND(clear, PQclear);
#undef C_PQ_FIND
    return NULL;
}

static inline PQconninfoOption *_Nullable c_pq_parse(c_pq_table _Nonnull pq, const char *_Nonnull text) {
    // Its message may quote the text with the password in it, so nobody gets to see it.
    char *message = NULL;
    PQconninfoOption *options = pq->conninfo_parse(text, &message);
    if (message) pq->freemem(message);
    return options;
}
static inline PQconninfoOption *_Nullable c_pq_options(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->conninfo(connection);
}
static inline void c_pq_free_options(c_pq_table _Nonnull pq, PQconninfoOption *_Nullable options) {
    pq->conninfo_free(options);
}

// What the library would print on standard error.
static inline void c_pq_ignore(void *_Nullable data, const PGresult *_Nullable notice) {}

// Blocks until there is a connection or an error. The name of a database stays one, also if it looks like a URL.
static inline PGconn *_Nullable c_pq_connect(
    c_pq_table _Nonnull pq, const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values
) {
    PGconn *connection = pq->connect(keywords, values, 0);
    if (connection) pq->set_notice_receiver(connection, c_pq_ignore, NULL);
    return connection;
}
static inline PGconn *_Nullable c_pq_connect_start(
    c_pq_table _Nonnull pq, const char *_Nullable const *_Nonnull keywords, const char *_Nullable const *_Nonnull values
) {
    return pq->connect_start(keywords, values, 0);
}
static inline void c_pq_finish(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) { pq->finish(connection); }
static inline int c_pq_is_connected(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->status(connection) == CONNECTION_OK;
}
static inline const char *_Nullable c_pq_error(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->error_message(connection);
}
static inline int c_pq_needs_password(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->needs_password(connection);
}
static inline int c_pq_used_password(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->used_password(connection);
}
static inline int c_pq_server_version(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->server_version(connection);
}
static inline int c_pq_backend_pid(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->backend_pid(connection);
}
static inline int c_pq_socket(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) { return pq->socket(connection); }
static inline const char *_Nullable c_pq_host(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->host(connection);
}
static inline const char *_Nullable c_pq_port(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->port(connection);
}
static inline int c_pq_is_in_transaction(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->transaction_status(connection) != PQTRANS_IDLE;
}
static inline int c_pq_set_nonblocking(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->set_nonblocking(connection, 1) == 0;
}

// Several statements without parameters, whose results come as text.
static inline int c_pq_send_script(c_pq_table _Nonnull pq, PGconn *_Nonnull connection, const char *_Nonnull sql) {
    return pq->send_query(connection, sql);
}
// One statement; values and results in binary form.
static inline int c_pq_send(
    c_pq_table _Nonnull pq, PGconn *_Nonnull connection, const char *_Nonnull sql, int count,
    const Oid *_Nullable types, const char *_Nullable const *_Nullable values, const int *_Nullable lengths,
    const int *_Nullable formats
) {
    return pq->send_query_params(connection, sql, count, types, values, lengths, formats, 1);
}
static inline int c_pq_set_single_row_mode(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->set_single_row_mode(connection);
}
// 0: all is sent, 1: not yet, -1: an error.
static inline int c_pq_flush(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) { return pq->flush(connection); }
static inline int c_pq_consume(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->consume_input(connection);
}
static inline int c_pq_is_busy(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) { return pq->is_busy(connection); }
static inline PGresult *_Nullable c_pq_result(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->get_result(connection);
}
static inline PGnotify *_Nullable c_pq_notification(c_pq_table _Nonnull pq, PGconn *_Nonnull connection) {
    return pq->notifies(connection);
}
static inline void c_pq_free_notification(c_pq_table _Nonnull pq, PGnotify *_Nonnull notification) {
    pq->freemem(notification);
}

typedef enum { c_pq_done, c_pq_rows, c_pq_row, c_pq_failed, c_pq_unexpected } c_pq_kind;

static inline c_pq_kind c_pq_kind_of(c_pq_table _Nonnull pq, const PGresult *_Nonnull result) {
    switch (pq->result_status(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_EMPTY_QUERY: return c_pq_done;
    case PGRES_TUPLES_OK: return c_pq_rows;
    case PGRES_SINGLE_TUPLE: return c_pq_row;
    case PGRES_FATAL_ERROR:
    case PGRES_NONFATAL_ERROR:
    case PGRES_BAD_RESPONSE: return c_pq_failed;
    default: return c_pq_unexpected;
    }
}
static inline const char *_Nullable c_pq_sqlstate(c_pq_table _Nonnull pq, const PGresult *_Nonnull result) {
    return pq->error_field(result, PG_DIAG_SQLSTATE);
}
static inline const char *_Nullable c_pq_message(c_pq_table _Nonnull pq, const PGresult *_Nonnull result) {
    return pq->error_field(result, PG_DIAG_MESSAGE_PRIMARY);
}
static inline const char *_Nullable c_pq_constraint(c_pq_table _Nonnull pq, const PGresult *_Nonnull result) {
    return pq->error_field(result, PG_DIAG_CONSTRAINT_NAME);
}
// The command that was done, such as COMMIT.
static inline const char *_Nullable c_pq_command(c_pq_table _Nonnull pq, PGresult *_Nonnull result) {
    return pq->command_status(result);
}
// The number of rows that a command has changed, in decimal; empty for other commands.
static inline const char *_Nullable c_pq_changed(c_pq_table _Nonnull pq, PGresult *_Nonnull result) {
    return pq->command_rows(result);
}
static inline int c_pq_count(c_pq_table _Nonnull pq, const PGresult *_Nonnull result) { return pq->row_count(result); }
static inline int c_pq_columns(c_pq_table _Nonnull pq, const PGresult *_Nonnull result) {
    return pq->column_count(result);
}
static inline Oid c_pq_type(c_pq_table _Nonnull pq, const PGresult *_Nonnull result, int column) {
    return pq->column_type(result, column);
}
static inline int c_pq_is_null(c_pq_table _Nonnull pq, const PGresult *_Nonnull result, int row, int column) {
    return pq->is_null(result, row, column);
}
static inline const char *_Nullable c_pq_value(
    c_pq_table _Nonnull pq, const PGresult *_Nonnull result, int row, int column
) {
    return pq->value(result, row, column);
}
static inline int c_pq_length(c_pq_table _Nonnull pq, const PGresult *_Nonnull result, int row, int column) {
    return pq->length(result, row, column);
}
static inline void c_pq_clear(c_pq_table _Nonnull pq, PGresult *_Nullable result) { pq->clear(result); }
