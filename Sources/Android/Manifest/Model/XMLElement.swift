package import Diagnostics

/// An element of an XML text, such as an Android manifest or a property list, with where it is.
package struct XMLElement: Sendable {
    package struct Attribute: Sendable {
        /// The name with its prefix, as it is written.
        package let name: String
        /// References resolved.
        package let value: String
        /// The bytes between the quotes.
        package let range: SourceRange

        package init(name: String, value: String, range: SourceRange) {
            (self.name, self.value, self.range) = (name, value, range)
        }
    }

    /// The name with its prefix, as it is written.
    package let name: String
    /// As they are written, in order.
    package let attributes: [Attribute]
    package var children: [XMLElement]
    /// The text directly in the element, references resolved, without that of the children.
    package var text = ""
    /// From the first character of the text to the last, as they are in the file; the empty range after the start tag
    /// if there is no text.
    package var textRange: SourceRange
    /// The start tag.
    package let tagRange: SourceRange

    package init(name: String, attributes: [Attribute], children: [XMLElement] = [], tagRange: SourceRange) {
        (self.name, self.attributes, self.children, self.tagRange) = (name, attributes, children, tagRange)
        textRange = SourceRange(start: tagRange.end, end: tagRange.end)
    }

    /// The value of an attribute, by its name with its prefix.
    package func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}
