// The functions of libnghttp2, which is opened when a server that speaks HTTP/2 starts and not linked: every command would
// pay for it.
#pragma once

#include <dlfcn.h>
#include <malloc.h>
#include <nghttp2/nghttp2.h>
#include <stddef.h>

struct c_nghttp2 {
    __typeof__(nghttp2_session_callbacks_new) *session_callbacks_new;
    __typeof__(nghttp2_session_callbacks_del) *session_callbacks_del;
    __typeof__(nghttp2_session_callbacks_set_on_header_callback) *session_callbacks_set_on_header_callback;
    __typeof__(nghttp2_session_callbacks_set_on_begin_headers_callback) *session_callbacks_set_on_begin_headers_callback;
    __typeof__(nghttp2_session_callbacks_set_on_frame_recv_callback) *session_callbacks_set_on_frame_recv_callback;
    __typeof__(nghttp2_session_callbacks_set_before_frame_send_callback) *session_callbacks_set_before_frame_send_callback;
    __typeof__(nghttp2_session_callbacks_set_on_frame_send_callback) *session_callbacks_set_on_frame_send_callback;
    __typeof__(nghttp2_session_callbacks_set_on_stream_close_callback) *session_callbacks_set_on_stream_close_callback;
    __typeof__(nghttp2_session_callbacks_set_send_data_callback) *session_callbacks_set_send_data_callback;
    __typeof__(nghttp2_option_new) *option_new;
    __typeof__(nghttp2_option_del) *option_del;
    __typeof__(nghttp2_option_set_no_auto_window_update) *option_set_no_auto_window_update;
    __typeof__(nghttp2_option_set_no_closed_streams) *option_set_no_closed_streams;
    __typeof__(nghttp2_option_set_max_settings) *option_set_max_settings;
    __typeof__(nghttp2_option_set_max_outbound_ack) *option_set_max_outbound_ack;
    __typeof__(nghttp2_session_server_new3) *session_server_new3;
    __typeof__(nghttp2_session_del) *session_del;
    __typeof__(nghttp2_session_mem_recv) *session_mem_recv;
    __typeof__(nghttp2_session_mem_send) *session_mem_send;
    __typeof__(nghttp2_session_want_read) *session_want_read;
    __typeof__(nghttp2_session_want_write) *session_want_write;
    __typeof__(nghttp2_session_get_stream_user_data) *session_get_stream_user_data;
    __typeof__(nghttp2_session_set_stream_user_data) *session_set_stream_user_data;
    __typeof__(nghttp2_session_get_stream_remote_close) *session_get_stream_remote_close;
    __typeof__(nghttp2_session_get_last_proc_stream_id) *session_get_last_proc_stream_id;
    __typeof__(nghttp2_session_terminate_session) *session_terminate_session;
    __typeof__(nghttp2_submit_settings) *submit_settings;
    __typeof__(nghttp2_submit_response) *submit_response;
    __typeof__(nghttp2_submit_rst_stream) *submit_rst_stream;
    __typeof__(nghttp2_submit_goaway) *submit_goaway;
    __typeof__(nghttp2_submit_shutdown_notice) *submit_shutdown_notice;
};

// Opens the library by its file name and fills the table. Returns NULL, or why it cannot be used; a library that was
// opened is never closed.
static inline const char *c_nghttp2_open(struct c_nghttp2 *nghttp2, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
#define C_NGHTTP2_FIND(function) \
    if ((nghttp2->function = (__typeof__(nghttp2_##function) *)dlsym(library, "nghttp2_" #function)) == NULL) \
    return dlerror()
    C_NGHTTP2_FIND(session_callbacks_new);
    C_NGHTTP2_FIND(session_callbacks_del);
    C_NGHTTP2_FIND(session_callbacks_set_on_header_callback);
    C_NGHTTP2_FIND(session_callbacks_set_on_begin_headers_callback);
    C_NGHTTP2_FIND(session_callbacks_set_on_frame_recv_callback);
    C_NGHTTP2_FIND(session_callbacks_set_before_frame_send_callback);
    C_NGHTTP2_FIND(session_callbacks_set_on_frame_send_callback);
    C_NGHTTP2_FIND(session_callbacks_set_on_stream_close_callback);
    C_NGHTTP2_FIND(session_callbacks_set_send_data_callback);
    C_NGHTTP2_FIND(option_new);
    C_NGHTTP2_FIND(option_del);
    C_NGHTTP2_FIND(option_set_no_auto_window_update);
    C_NGHTTP2_FIND(option_set_no_closed_streams);
    C_NGHTTP2_FIND(option_set_max_settings);
    C_NGHTTP2_FIND(option_set_max_outbound_ack);
    C_NGHTTP2_FIND(session_server_new3);
    C_NGHTTP2_FIND(session_del);
    C_NGHTTP2_FIND(session_mem_recv);
    C_NGHTTP2_FIND(session_mem_send);
    C_NGHTTP2_FIND(session_want_read);
    C_NGHTTP2_FIND(session_want_write);
    C_NGHTTP2_FIND(session_get_stream_user_data);
    C_NGHTTP2_FIND(session_set_stream_user_data);
    C_NGHTTP2_FIND(session_get_stream_remote_close);
    C_NGHTTP2_FIND(session_get_last_proc_stream_id);
    C_NGHTTP2_FIND(session_terminate_session);
    C_NGHTTP2_FIND(submit_settings);
    C_NGHTTP2_FIND(submit_response);
    C_NGHTTP2_FIND(submit_rst_stream);
    C_NGHTTP2_FIND(submit_goaway);
    C_NGHTTP2_FIND(submit_shutdown_notice);
#undef C_NGHTTP2_FIND
    return NULL;
}

typedef const struct c_nghttp2 *c_nghttp2_table;
