import ContentStorage
import Foundation
import FoundationExtras
import HTTPTypes

extension HTTPFields {
    /// Creates the headers that describe a file, for responses with all or part of the file, and for nginx's internal redirects
    /// (`X-Accel-Redirect`).
    init(describing file: ContentFile) {
        self = [
            .contentType: file.mediaType.text, .contentDisposition: Self.disposition(file.fileName), .cacheControl: "private, no-store",
            .xContentTypeOptions: "nosniff",
        ]
        if let digest = Data(hexadecimal: file.sha256.hexadecimal) { self[.reprDigest] = "sha-256=:\(digest.base64EncodedString()):" }
    }

    /// Returns the header `Content-Disposition` for a file name (RFC 6266).
    ///
    /// The parameter `filename*` (RFC 8187) contains a name with characters outside of ASCII. The parameter `filename` for older clients
    /// contains underscores in place of these characters, and in place of quotation marks, backslashes and percent signs, which clients
    /// decode differently.
    static func disposition(_ name: String) -> String {
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
        guard plain != name else { return "attachment; filename=\"\(plain)\"" }
        let encoded = name.utf8.map { byte in
            isAttributeCharacter(byte) ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.encode([byte], uppercase: true)
        }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded.joined())"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && !["\"", "\\", "%"].contains(scalar)
    }

    /// Returns whether a byte is an `attr-char` of RFC 8187.
    private static func isAttributeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$&+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension Data {
    /// Decodes pairs of hexadecimal digits; nil for any other text.
    fileprivate init?(hexadecimal text: String) {
        var digits = text.utf8.makeIterator()
        self.init()
        while let first = digits.next() {
            guard let high = Hexadecimal.value(of: first), let low = digits.next().flatMap(Hexadecimal.value) else { return nil }
            append(high << 4 | low)
        }
    }
}

extension MediaType {
    private static let types = [
        "aac": "audio/aac", "bin": "application/octet-stream", "css": "text/css", "csv": "text/csv", "epub": "application/epub+zip",
        "flac": "audio/flac", "gif": "image/gif", "gz": "application/gzip", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "json": "application/json", "m4a": "audio/mp4", "m4v": "video/mp4", "md": "text/markdown", "mov": "video/quicktime",
        "mp3": "audio/mpeg", "mp4": "video/mp4", "ogg": "audio/ogg", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
        "tar": "application/x-tar", "txt": "text/plain", "usdz": "model/vnd.usdz+zip", "wav": "audio/wav", "webm": "video/webm",
        "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
    ]

    /// The media type that the extension of a file name indicates; `application/octet-stream` for an unknown extension.
    init(fileName: String) {
        let type = fileName.lastIndex(of: ".").flatMap { Self.types[fileName[fileName.index(after: $0)...].lowercased()] }
        self = type.flatMap { try? MediaType($0) } ?? .octetStream
    }
}
