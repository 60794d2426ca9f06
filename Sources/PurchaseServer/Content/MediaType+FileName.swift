import ContentStorage

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
