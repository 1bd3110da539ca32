// libcurl's headers, a table of the functions that are used, and a static inline function for what Swift cannot call.
//
// The library is opened when the table is filled and not linked: it brings more than twenty others with it, which would
// cost every start of every command 5 to 10 ms. For the same reason nothing here links it, and the module has no
// pkg-config: SwiftPM takes the linker's flags from there along with the headers' path.
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

// The checks of its types are for calls of curl_easy_setopt by name, of which there are none.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef struct {
    CURLcode (*global_init)(long);
    curl_version_info_data *(*version_info)(CURLversion);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    const char *(*easy_strerror)(CURLcode);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *);
    CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
    CURLMcode (*multi_add_handle)(CURLM *, CURL *);
    CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
    CURLMcode (*multi_perform)(CURLM *, int *);
    CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd[], unsigned int, int, int *);
    CURLMcode (*multi_wakeup)(CURLM *);
    CURLMsg *(*multi_info_read)(CURLM *, int *);
} c_curl_functions;

// Opens the library and fills the table. NULL, or what the loader says; that is the loader's memory, until its next
// call.
static inline const char *c_curl_open(c_curl_functions *table, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    // ISO C has no conversion of an object's address to a function's; POSIX has.
#define C_CURL_FIND(member, symbol) \
    *(void **)(&table->member) = dlsym(library, symbol); \
    if (!table->member) return dlerror();
    C_CURL_FIND(global_init, "curl_global_init")
    C_CURL_FIND(version_info, "curl_version_info")
    C_CURL_FIND(easy_init, "curl_easy_init")
    C_CURL_FIND(easy_cleanup, "curl_easy_cleanup")
    C_CURL_FIND(easy_setopt, "curl_easy_setopt")
    C_CURL_FIND(easy_getinfo, "curl_easy_getinfo")
    C_CURL_FIND(easy_strerror, "curl_easy_strerror")
    C_CURL_FIND(slist_append, "curl_slist_append")
    C_CURL_FIND(slist_free_all, "curl_slist_free_all")
    C_CURL_FIND(multi_init, "curl_multi_init")
    C_CURL_FIND(multi_cleanup, "curl_multi_cleanup")
    C_CURL_FIND(multi_setopt, "curl_multi_setopt")
    C_CURL_FIND(multi_add_handle, "curl_multi_add_handle")
    C_CURL_FIND(multi_remove_handle, "curl_multi_remove_handle")
    C_CURL_FIND(multi_perform, "curl_multi_perform")
    C_CURL_FIND(multi_poll, "curl_multi_poll")
    C_CURL_FIND(multi_wakeup, "curl_multi_wakeup")
    C_CURL_FIND(multi_info_read, "curl_multi_info_read")
#undef C_CURL_FIND
    return NULL;
}

static inline CURLcode c_curl_global_init(const c_curl_functions *curl) {
    return curl->global_init(CURL_GLOBAL_DEFAULT);
}

static inline const curl_version_info_data *c_curl_version(const c_curl_functions *curl) {
    return curl->version_info(CURLVERSION_NOW);
}

// curl_easy_setopt takes an argument of any type, and believes that it is the right one.
static inline CURLcode c_curl_set_long(const c_curl_functions *curl, CURL *easy, CURLoption option, long value) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode c_curl_set_size(
    const c_curl_functions *curl, CURL *easy, CURLoption option, int64_t value
) {
    return curl->easy_setopt(easy, option, (curl_off_t)value);
}
// Copied by the library, but for a body.
static inline CURLcode c_curl_set_string(
    const c_curl_functions *curl, CURL *easy, CURLoption option, const char *value
) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode c_curl_set_pointer(
    const c_curl_functions *curl, CURL *easy, CURLoption option, void *value
) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode c_curl_set_list(
    const c_curl_functions *curl, CURL *easy, CURLoption option, struct curl_slist *value
) {
    return curl->easy_setopt(easy, option, value);
}

typedef size_t (*c_curl_data_callback)(char *, size_t, size_t, void *);
static inline CURLcode c_curl_on_body(const c_curl_functions *curl, CURL *easy, c_curl_data_callback call, void *data) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_WRITEDATA, data);
}
static inline CURLcode c_curl_on_upload(
    const c_curl_functions *curl, CURL *easy, c_curl_data_callback call, void *data
) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_READFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_READDATA, data);
}
static inline CURLcode c_curl_on_header(
    const c_curl_functions *curl, CURL *easy, c_curl_data_callback call, void *data
) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_HEADERDATA, data);
}
typedef curl_socket_t (*c_curl_socket_callback)(void *, curlsocktype, struct curl_sockaddr *);
static inline CURLcode c_curl_on_socket(
    const c_curl_functions *curl, CURL *easy, c_curl_socket_callback call, void *data
) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_OPENSOCKETDATA, data);
}
typedef CURLcode (*c_curl_tls_callback)(CURL *, void *, void *);
static inline CURLcode c_curl_on_tls(const c_curl_functions *curl, CURL *easy, c_curl_tls_callback call, void *data) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, call);
    return code ? code : curl->easy_setopt(easy, CURLOPT_SSL_CTX_DATA, data);
}

typedef int (*c_curl_progress_callback)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
static inline CURLcode c_curl_on_progress(
    const c_curl_functions *curl, CURL *easy, c_curl_progress_callback call, void *data
) {
    CURLcode code = curl->easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, call);
    if (!code) code = curl->easy_setopt(easy, CURLOPT_XFERINFODATA, data);
    return code ? code : curl->easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

// Versions of TLS as 0 for 1.0, 1 for 1.1, and so on.
static inline CURLcode c_curl_set_tls_versions(const c_curl_functions *curl, CURL *easy, int oldest, int newest) {
    static const long least[] = {
        CURL_SSLVERSION_TLSv1_0, CURL_SSLVERSION_TLSv1_1, CURL_SSLVERSION_TLSv1_2, CURL_SSLVERSION_TLSv1_3,
    };
    static const long most[] = {
        CURL_SSLVERSION_MAX_TLSv1_0, CURL_SSLVERSION_MAX_TLSv1_1, CURL_SSLVERSION_MAX_TLSv1_2,
        CURL_SSLVERSION_MAX_TLSv1_3,
    };
    if (oldest < 0 || oldest > newest || newest > 3) return CURLE_BAD_FUNCTION_ARGUMENT;
    return curl->easy_setopt(easy, CURLOPT_SSLVERSION, least[oldest] | most[newest]);
}
static inline CURLcode c_curl_set_http11(const c_curl_functions *curl, CURL *easy) {
    return curl->easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
}

static inline CURLcode c_curl_get_long(const c_curl_functions *curl, CURL *easy, CURLINFO info, long *value) {
    return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode c_curl_get_size(const c_curl_functions *curl, CURL *easy, CURLINFO info, int64_t *value) {
    curl_off_t number = 0;
    CURLcode code = curl->easy_getinfo(easy, info, &number);
    *value = number;
    return code;
}
// The socket of the connection that is in use; -1 if there is none.
static inline int c_curl_get_socket(const c_curl_functions *curl, CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl->easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : -1;
}
static inline void *c_curl_get_private(const c_curl_functions *curl, CURL *easy) {
    char *value = NULL;
    return curl->easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}
// The library's memory, as long as the handle lives.
static inline struct curl_certinfo *c_curl_get_certificates(const c_curl_functions *curl, CURL *easy) {
    struct curl_certinfo *value = NULL;
    return curl->easy_getinfo(easy, CURLINFO_CERTINFO, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode c_curl_multi_set_long(
    const c_curl_functions *curl, CURLM *multi, CURLMoption option, long value
) {
    return curl->multi_setopt(multi, option, value);
}
// The handle and the result of a transfer that has ended, from the multi handle's messages; NULL when there are no
// more.
static inline CURL *c_curl_next_done(const c_curl_functions *curl, CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl->multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// The address in the same form for both families: `bytes` gets 16, those of IPv4 as ::ffff:a.b.c.d. Whether it is one.
static inline int c_curl_address(const struct curl_sockaddr *from, uint8_t bytes[16], uint16_t *port) {
    if (from->family == AF_INET) {
        struct sockaddr_in address;
        memcpy(&address, &from->addr, sizeof address);
        memset(bytes, 0, 10);
        memset(bytes + 10, 0xFF, 2);
        memcpy(bytes + 12, &address.sin_addr, 4);
        *port = ntohs(address.sin_port);
        return 1;
    }
    if (from->family == AF_INET6) {
        struct sockaddr_in6 address;
        // The member has the size of an IPv4 address, and the memory that of any.
        if (from->addrlen < sizeof address) return 0;
        memcpy(&address, (const void *)&from->addr, sizeof address);
        memcpy(bytes, &address.sin6_addr, 16);
        *port = ntohs(address.sin6_port);
        return 1;
    }
    return 0;
}
static inline int c_curl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// The beginning of the kernel's `struct tcp_info` (linux/tcp.h): glibc's has fewer members, and including the kernel's
// as well would define the type twice.
typedef struct {
    uint8_t state[8];
    uint32_t numbers[24];
    uint64_t pacing_rate, max_pacing_rate, bytes_acknowledged, bytes_received;
} c_tcp_info;

// How many bytes were ever read from a TCP connection, if that is more than `most`: as many as the kernel has received,
// less those that wait to be read. Otherwise, and if the kernel does not count them, a number up to `most`.
static inline uint64_t c_tcp_bytes_read(int socket, uint64_t most) {
    c_tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, 11 /* TCP_INFO */, &info, &size) != 0 || size < sizeof info) return 0;
    if (info.bytes_received <= most) return info.bytes_received;
    int waiting = 0;
    if (ioctl(socket, FIONREAD, &waiting) != 0 || waiting < 0) waiting = 0;
    return info.bytes_received > (uint64_t)waiting ? info.bytes_received - (uint64_t)waiting : 0;
}

// Has names that this thread looks up taken as they are: by itself the C library puts the domains of `search` in
// resolv.conf after a name that is not there.
static inline void c_look_up_names_as_they_are(void) {
    if (res_init() == 0) _res.options &= ~(unsigned long)(RES_DNSRCH | RES_DEFNAMES);
}

// Names the thread that calls it; at most 15 bytes.
static inline void c_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
