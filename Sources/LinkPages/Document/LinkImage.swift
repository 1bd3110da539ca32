/// An image of a file of links, in its folder.
package struct LinkImage: Sendable {
    /// The formats of images that are taken.
    package enum Format: UInt8, Sendable, BitwiseCopyable {
        case png, jpeg, webp

        package var mediaType: StaticString {
            switch self {
            case .png: "image/png"
            case .jpeg: "image/jpeg"
            case .webp: "image/webp"
            }
        }

        /// The end of a name that such an image is served at.
        package var fileExtension: StaticString {
            switch self {
            case .png: "png"
            case .jpeg: "jpg"
            case .webp: "webp"
            }
        }
    }

    package let format: Format
    package let bytes: [UInt8]
    /// The path at which it is served: `/_links/`, 16 digits of its SHA-256, and its extension.
    package let path: [UInt8]
}

/// The result of looking for an image that a file of links names.
package enum LinkImageFile: Sendable {
    /// The content, and its SHA-256 as 32 bytes.
    case found([UInt8], sha256: [UInt8])
    /// There is no such file.
    case missing
    /// A link leads out of the folder.
    case outside
    /// More bytes than were asked for.
    case tooLarge
    /// The reason of the system, as a clause.
    case unreadable(String)
}

/// Finds an image in the folder of a file of links, by its name and the most bytes that it may have.
package typealias LinkImageLookup = (_ name: String, _ limit: Int) -> LinkImageFile
