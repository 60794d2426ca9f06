import Hummingbird

/// A file of the store's console, which is served with security headers.
struct StoreAsset: Sendable {
    /// The files of the console, by their names in URLs; the name of the page is empty.
    static let files: [String: StoreAsset] = {
        var files: [String: StoreAsset] = [:]
        for (name, bytes) in StoreFiles.all {
            guard let type = contentType(of: name) else { continue }
            files[documents[name] ?? name] = StoreAsset(type: type, bytes: ByteBuffer(bytes: bytes))
        }
        return files
    }()

    /// The names of the HTML documents in URLs, by their names in the folder.
    private static let documents = ["store.html": "", "signin.html": "sign-in"]

    /// Returns the content type of a file by its extension; nil for an extension with which no file is served.
    private static func contentType(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: nil
        }
    }

    /// The Content Security Policy: no external resources, no inline scripts or styles, and no strings that scripts turn into markup.
    private static let policy = """
        default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; object-src 'none'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    private let type: String
    private let bytes: ByteBuffer

    /// The response with the file.
    var response: Response {
        Response(status: .ok, headers: .page(type: type, policy: Self.policy), body: ResponseBody(byteBuffer: bytes))
    }
}
