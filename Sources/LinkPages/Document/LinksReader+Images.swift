internal import BoundedText
internal import Diagnostics
internal import JSONSyntax

/// The images that a file names, each looked up once.
struct LinkImages {
    fileprivate enum Found {
        case image(LinkImage)
        /// The end of a sentence that begins with the name, and what to do.
        case fault(String, String)
    }

    fileprivate var found: [[UInt8]: Found] = [:]
    fileprivate var indices: [[UInt8]: Int] = [:]
    fileprivate var byteCount = 0
    /// Those for previews, which have a path.
    fileprivate(set) var served: [LinkImage] = []
}

extension LinksReader {
    /// Reads the image of a link for previews.
    mutating func image(_ node: JSONNode, _ container: LinkContainer) -> LinkImageReference? {
        guard let text = node.string?.text else {
            findings.invalid(
                node, "image", in: container, expected: "a string with an https URL, or the name of a file")
            return nil
        }
        let start = text.utf8.prefix { $0 != UInt8(ascii: "/") }
        if start.contains(UInt8(ascii: ":")) || text.hasPrefix("//") {
            return target(node, "image", in: container, TargetReader(key: "image"))?.constant.map { .url($0) }
        }
        guard let image = file(text, node, "image", container, limit: LinkLimits.maxImageBytes) else { return nil }
        if let index = images.indices[image.path] { return .served(index) }
        images.indices[image.path] = images.served.count
        images.served.append(image)
        return .served(images.served.count - 1)
    }

    /// Finds an image in the folder of the file.
    mutating func file(
        _ name: String, _ node: JSONNode, _ key: String, _ container: LinkContainer, limit: Int
    ) -> LinkImage? {
        guard let lookup else { return nil }
        // An icon may be larger as an image than as an icon.
        let key8 = Array(name.utf8)
        let found = images.found[key8] ?? look(name, lookup)
        images.found[key8] = found
        let fault: (message: String, advice: String)
        switch found {
        case .image(let image) where image.bytes.count <= limit: return image
        case .image(let image):
            fault = (
                "has \(grouped(image.bytes.count)) bytes", "make it smaller: at most \(grouped(limit)) are embedded"
            )
        case .fault(let message, let advice): fault = (message, advice)
        }
        findings.report(
            .unusableImage, "\(quoted(name)) in '\(container.name(key))' \(fault.message)", at: node.range,
            container.pointer.member(key), advice: fault.advice)
        return nil
    }

    private mutating func look(_ name: String, _ lookup: LinkImageLookup) -> LinkImages.Found {
        let path = Array(name.utf8)
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isInside = segments.allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
        guard isInside, path.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return .fault("is not a file in the folder of 'links.json'", "name a file beside it, such as summer.png")
        }
        let limit = LinkLimits.maxImageBytes
        switch lookup(name, limit) {
        case .missing: return .fault("does not exist", "put the file beside 'links.json', or remove the key")
        case .outside: return .fault("leads out of the folder of 'links.json'", "put the file itself beside it")
        case .tooLarge:
            return .fault("has more than \(grouped(limit)) bytes", "make it smaller")
        case .unreadable(let reason): return .fault("cannot be read: \(reason)", "make it readable for the server")
        case .found(let bytes, let digest):
            guard bytes.count <= limit else {
                return .fault("has more than \(grouped(limit)) bytes", "make it smaller")
            }
            guard let format = LinkImage.Format(bytes) else {
                return .fault("is neither a PNG, a JPEG nor a WebP file", "convert it to one of these")
            }
            if let named = LinkImage.Format(name: path), named != format {
                return .fault(
                    "is a \(format.name) file, and not what its name says",
                    "rename it to end in '.\(format.fileExtension)'")
            }
            images.byteCount += bytes.count
            guard images.byteCount <= LinkLimits.maxAllImageBytes else {
                return .fault(
                    "is one too many: the images have more than \(grouped(LinkLimits.maxAllImageBytes)) bytes together",
                    "make them smaller, or name those of another site by their URLs")
            }
            return .image(LinkImage(format, bytes, digest))
        }
    }
}

extension LinkImage {
    fileprivate init(_ format: Format, _ bytes: [UInt8], _ digest: [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        let name = digest.prefix(8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        self.init(
            format: format, bytes: bytes, path: Array("/_links/".utf8) + name + Array(".\(format.fileExtension)".utf8))
    }
}

extension LinkImage.Format {
    /// The format of a file by its first bytes.
    fileprivate init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    /// The format that the end of a name says; nil if it says nothing.
    fileprivate init?(name: [UInt8]) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let end = name[(dot + 1)...].map(CaseFolding.ascii)
        switch String(text: end) {
        case "png": self = .png
        case "jpg", "jpeg": self = .jpeg
        case "webp": self = .webp
        default: return nil
        }
    }

    fileprivate var name: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        }
    }
}
