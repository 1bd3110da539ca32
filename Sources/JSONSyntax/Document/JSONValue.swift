/// The value of a JSON text (RFC 8259, section 3).
package enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    /// The text of the number as it stands in the file.
    case number(String)
    case string(JSONString)
    case array([JSONNode])
    case object(JSONObject)
}
