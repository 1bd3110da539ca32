// OpenSSL's headers, and a static inline function for each macro that Swift cannot see.
#pragma once

// For the size of a block of memory, which the module Glibc does not have.
#include <malloc.h>

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
// Declares its PEM functions only behind pem.h.
#include <openssl/cms.h>

static inline void c_SSL_CTX_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline int c_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}
static inline int c_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}
static inline int c_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_groups_list(context, list);
}
static inline void c_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}
static inline void c_SSL_CTX_set_read_ahead(SSL_CTX *context, int on) { SSL_CTX_set_read_ahead(context, on); }

static inline void c_SSL_CTX_ignore_unexpected_eof(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
}

typedef int (*c_ticket_key_callback)(SSL *, unsigned char *, unsigned char *, EVP_CIPHER_CTX *, EVP_MAC_CTX *, int);
static inline int c_SSL_CTX_set_tlsext_ticket_key_evp_cb(SSL_CTX *context, c_ticket_key_callback callback) {
    return SSL_CTX_set_tlsext_ticket_key_evp_cb(context, callback);
}


// No ticket is sent, and none is looked at.
static inline void c_SSL_disable_tickets(SSL *ssl) {
    SSL_set_options(ssl, SSL_OP_NO_TICKET);
    SSL_set_num_tickets(ssl, 0);
}

typedef int (*c_server_name_callback)(SSL *, int *, void *);
static inline void c_SSL_CTX_set_tlsext_servername_callback(SSL_CTX *context, c_server_name_callback callback) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
}

static inline uint64_t c_server_options(void) {
    return SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE
        | SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF;
}
static inline long c_server_modes(void) {
    return SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        | SSL_MODE_NO_AUTO_CHAIN;
}

static inline void c_BIO_clear_retry_flags(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline void c_BIO_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void c_BIO_set_retry_write(BIO *bio) { BIO_set_retry_write(bio); }

static inline int c_sk_GENERAL_NAME_num(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline GENERAL_NAME *c_sk_GENERAL_NAME_value(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}
static inline int c_sk_GENERAL_NAME_push(GENERAL_NAMES *names, GENERAL_NAME *name) {
    return sk_GENERAL_NAME_push(names, name);
}
static inline STACK_OF(X509_EXTENSION) *c_sk_X509_EXTENSION_new_null(void) { return sk_X509_EXTENSION_new_null(); }
static inline int c_sk_X509_EXTENSION_push(STACK_OF(X509_EXTENSION) *stack, X509_EXTENSION *extension) {
    return sk_X509_EXTENSION_push(stack, extension);
}
static inline void c_sk_X509_EXTENSION_free(STACK_OF(X509_EXTENSION) *stack) { sk_X509_EXTENSION_free(stack); }
static inline STACK_OF(X509) *c_sk_X509_new_null(void) { return sk_X509_new_null(); }
static inline int c_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) { return sk_X509_push(stack, certificate); }
static inline void c_sk_X509_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline int c_SSL_CTX_use_cert_and_key(
    SSL_CTX *context, X509 *leaf, EVP_PKEY *key, STACK_OF(X509) *chain
) {
    return SSL_CTX_use_cert_and_key(context, leaf, key, chain, 1);
}
static inline int c_SSL_use_cert_and_key(SSL *ssl, X509 *leaf, EVP_PKEY *key, STACK_OF(X509) *chain) {
    return SSL_use_cert_and_key(ssl, leaf, key, chain, 1);
}

static inline int c_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *c_sk_X509_value(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
static inline void c_sk_X509_pop_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
static inline int c_sk_CMS_SignerInfo_num(const STACK_OF(CMS_SignerInfo) *stack) {
    return sk_CMS_SignerInfo_num(stack);
}
static inline CMS_SignerInfo *c_sk_CMS_SignerInfo_value(const STACK_OF(CMS_SignerInfo) *stack, int index) {
    return sk_CMS_SignerInfo_value(stack, index);
}

static inline long c_BIO_get_mem_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }

// RFC 4514, but with the characters beyond ASCII as they are.
static inline unsigned long c_name_flags(void) { return XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB; }

static inline void c_OPENSSL_free(void *memory) { OPENSSL_free(memory); }
static inline EVP_PKEY *c_EVP_RSA_gen(OSSL_LIB_CTX *context, size_t bits) {
    return EVP_PKEY_Q_keygen(context, NULL, "RSA", bits);
}
static inline EVP_PKEY *c_EVP_EC_gen(OSSL_LIB_CTX *context, const char *curve) {
    return EVP_PKEY_Q_keygen(context, NULL, "EC", curve);
}

static inline int c_ERR_GET_LIB(unsigned long code) { return ERR_GET_LIB(code); }
static inline int c_ERR_GET_REASON(unsigned long code) { return ERR_GET_REASON(code); }
static inline void c_ERR_raise_SSL(int reason) { ERR_raise(ERR_LIB_SSL, reason); }

// Of clients, for tests and fuzzing.
static inline int c_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}
static inline int c_SSL_set_min_proto_version(SSL *ssl, int version) {
    return (int)SSL_set_min_proto_version(ssl, version);
}
static inline int c_SSL_set_max_proto_version(SSL *ssl, int version) {
    return (int)SSL_set_max_proto_version(ssl, version);
}
static inline int c_SSL_set1_groups_list(SSL *ssl, const char *list) { return (int)SSL_set1_groups_list(ssl, list); }
static inline int c_SSL_get_negotiated_group(SSL *ssl) { return (int)SSL_get_negotiated_group(ssl); }
static inline int c_SSL_set1_sigalgs_list(SSL *ssl, const char *list) { return (int)SSL_set1_sigalgs_list(ssl, list); }
static inline long c_SSL_get_secure_renegotiation_support(SSL *ssl) { return SSL_get_secure_renegotiation_support(ssl); }
static inline void c_SSL_set_fallback_mode(SSL *ssl) { SSL_set_mode(ssl, SSL_MODE_SEND_FALLBACK_SCSV); }

// For fuzzing: every random number of the process comes from there afterwards.
static inline int c_RAND_set_bytes(int (*bytes)(unsigned char *, int), int (*status)(void)) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    static RAND_METHOD method;
    method.bytes = bytes;
    method.pseudorand = bytes;
    method.status = status;
    return RAND_set_rand_method(&method);
#pragma clang diagnostic pop
}
