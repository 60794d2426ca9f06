public import Hummingbird

/// A web page with which a developer observes and controls a local store.
///
/// The build embeds the files of the page in the binary: HTML, CSS and plain JavaScript. The scripts call the store's control API at
/// relative URLs, so the page is usable for any store at any path.
public struct StoreConsole: Sendable {
    /// Creates the console.
    public init() {}

    /// Adds the route `GET /console/` and the routes of the console's files; `GET /console` redirects to `/console/`.
    ///
    /// The console calls the store's control API and does not authenticate users. Add the routes only where callers may use that API.
    public func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.get("console") { request, _ in
            guard request.uri.path.hasSuffix("/") else {
                // Use a relative redirect, because the store may be mounted below a path prefix.
                return Response.redirect(to: request.uri.query.map { "console/?\($0)" } ?? "console/", type: .found)
            }
            return try response(with: "")
        }
        router.get("console/{file}") { _, context in
            try response(with: context.parameters.get("file") ?? "")
        }
    }

    private func response(with file: String) throws -> Response {
        guard let asset = StoreAsset.files[file] else { throw HTTPError(.notFound) }
        return asset.response
    }
}
