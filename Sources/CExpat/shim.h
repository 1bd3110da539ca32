// The functions of libexpat, which is opened when the first XML file is read and not linked: every command would pay
// for it.
#pragma once

#include <dlfcn.h>
#include <expat.h>
#include <stddef.h>

struct c_expat {
    __typeof__(XML_ParserCreate) *parser_create;
    __typeof__(XML_ParserFree) *parser_free;
    __typeof__(XML_SetUserData) *set_user_data;
    __typeof__(XML_SetElementHandler) *set_element_handler;
    __typeof__(XML_SetCharacterDataHandler) *set_character_data_handler;
    __typeof__(XML_SetEntityDeclHandler) *set_entity_decl_handler;
    __typeof__(XML_SetAttlistDeclHandler) *set_attlist_decl_handler;
    __typeof__(XML_SetSkippedEntityHandler) *set_skipped_entity_handler;
    __typeof__(XML_Parse) *parse;
    __typeof__(XML_StopParser) *stop_parser;
    __typeof__(XML_GetErrorCode) *get_error_code;
    __typeof__(XML_ErrorString) *error_string;
    __typeof__(XML_GetCurrentByteIndex) *get_current_byte_index;
    __typeof__(XML_GetCurrentByteCount) *get_current_byte_count;
    __typeof__(XML_GetSpecifiedAttributeCount) *get_specified_attribute_count;
};

// Opens the library by its file name and fills the table. Returns NULL, or why it cannot be used; a library that was
// opened is never closed.
static inline const char *c_expat_open(struct c_expat *expat, const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
#define C_EXPAT_FIND(member, symbol) \
    if ((expat->member = (__typeof__(symbol) *)dlsym(library, #symbol)) == NULL) return dlerror()
    C_EXPAT_FIND(parser_create, XML_ParserCreate);
    C_EXPAT_FIND(parser_free, XML_ParserFree);
    C_EXPAT_FIND(set_user_data, XML_SetUserData);
    C_EXPAT_FIND(set_element_handler, XML_SetElementHandler);
    C_EXPAT_FIND(set_character_data_handler, XML_SetCharacterDataHandler);
    C_EXPAT_FIND(set_entity_decl_handler, XML_SetEntityDeclHandler);
    C_EXPAT_FIND(set_attlist_decl_handler, XML_SetAttlistDeclHandler);
    C_EXPAT_FIND(set_skipped_entity_handler, XML_SetSkippedEntityHandler);
    C_EXPAT_FIND(parse, XML_Parse);
    C_EXPAT_FIND(stop_parser, XML_StopParser);
    C_EXPAT_FIND(get_error_code, XML_GetErrorCode);
    C_EXPAT_FIND(error_string, XML_ErrorString);
    C_EXPAT_FIND(get_current_byte_index, XML_GetCurrentByteIndex);
    C_EXPAT_FIND(get_current_byte_count, XML_GetCurrentByteCount);
    C_EXPAT_FIND(get_specified_attribute_count, XML_GetSpecifiedAttributeCount);
#undef C_EXPAT_FIND
    return NULL;
}

typedef const struct c_expat *c_expat_table;

static inline XML_Parser c_XML_ParserCreate(c_expat_table expat, const char *encoding) {
    return expat->parser_create(encoding);
}
static inline void c_XML_ParserFree(c_expat_table expat, XML_Parser parser) { expat->parser_free(parser); }
static inline void c_XML_SetUserData(c_expat_table expat, XML_Parser parser, void *data) {
    expat->set_user_data(parser, data);
}
static inline void c_XML_SetElementHandler(
    c_expat_table expat, XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end
) {
    expat->set_element_handler(parser, start, end);
}
static inline void c_XML_SetCharacterDataHandler(
    c_expat_table expat, XML_Parser parser, XML_CharacterDataHandler handler
) {
    expat->set_character_data_handler(parser, handler);
}
static inline void c_XML_SetEntityDeclHandler(
    c_expat_table expat, XML_Parser parser, XML_EntityDeclHandler handler
) {
    expat->set_entity_decl_handler(parser, handler);
}
static inline void c_XML_SetAttlistDeclHandler(
    c_expat_table expat, XML_Parser parser, XML_AttlistDeclHandler handler
) {
    expat->set_attlist_decl_handler(parser, handler);
}
static inline void c_XML_SetSkippedEntityHandler(
    c_expat_table expat, XML_Parser parser, XML_SkippedEntityHandler handler
) {
    expat->set_skipped_entity_handler(parser, handler);
}
static inline enum XML_Status c_XML_Parse(c_expat_table expat, XML_Parser parser, const char *bytes, int count) {
    return expat->parse(parser, bytes, count, XML_TRUE);
}
static inline void c_XML_StopParser(c_expat_table expat, XML_Parser parser) {
    expat->stop_parser(parser, XML_FALSE);
}
static inline const char *c_XML_error(c_expat_table expat, XML_Parser parser) {
    return expat->error_string(expat->get_error_code(parser));
}
static inline long c_XML_GetCurrentByteIndex(c_expat_table expat, XML_Parser parser) {
    return (long)expat->get_current_byte_index(parser);
}
static inline int c_XML_GetCurrentByteCount(c_expat_table expat, XML_Parser parser) {
    return expat->get_current_byte_count(parser);
}
static inline int c_XML_GetSpecifiedAttributeCount(c_expat_table expat, XML_Parser parser) {
    return expat->get_specified_attribute_count(parser);
}
