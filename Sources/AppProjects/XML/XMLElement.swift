package import Diagnostics

/// An XML file that was read.
package struct XMLDocument: Sendable {
    /// The text that all ranges refer to: the file's own, or the converted one if it was UTF-16.
    package let source: SourceText
    package let root: XMLElement

    package init(source: SourceText, root: XMLElement) {
        self.source = source
        self.root = root
    }
}

/// An element, with where it is.
package struct XMLElement: Sendable {
    /// The name with its prefix, as it is written.
    package let name: String
    /// As they are written, in order.
    package let attributes: [XMLAttribute]
    package internal(set) var children: [XMLElement] = []
    /// The text directly in the element, references resolved, without that of the children.
    package internal(set) var text = ""
    /// From the first character of the text to the last, as they are in the file; the empty range after the start tag
    /// if there is no text.
    package internal(set) var textRange: SourceRange
    /// The start tag.
    package let tagRange: SourceRange

    package init(name: String, attributes: [XMLAttribute], tagRange: SourceRange) {
        self.name = name
        self.attributes = attributes
        self.tagRange = tagRange
        textRange = SourceRange(start: tagRange.end, end: tagRange.end)
    }

    /// The value of an attribute, by its name with its prefix.
    package func attribute(_ name: String) -> XMLAttribute? { attributes.first { $0.name == name } }
}

/// An attribute of an element.
package struct XMLAttribute: Sendable {
    /// The name with its prefix, as it is written.
    package let name: String
    /// References resolved.
    package let value: String
    /// The bytes between the quotes.
    package let range: SourceRange

    package init(name: String, value: String, range: SourceRange) {
        self.name = name
        self.value = value
        self.range = range
    }
}
