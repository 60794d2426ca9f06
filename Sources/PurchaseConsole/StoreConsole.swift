public import Hummingbird

/// A page on which people watch a local store and work with it.
///
/// It is made of files that the build embeds in the binary: HTML, CSS and plain JavaScript, which talks to the store's control API at
/// addresses relative to its own. So it serves whichever store it is mounted for, below whatever path.
public struct StoreConsole: Sendable {
    /// Creates the page.
    public init() {}

    /// Mounts `GET /console/` and the files that it needs; `GET /console` leads there.
    ///
    /// The page does everything that the control API can do, and asks nobody who they are: mount it only where that API may be used.
    public func addRoutes(to router: some RouterMethods<some RequestContext>) {
        router.get("console") { request, _ in
            guard request.uri.path.hasSuffix("/") else {
                // Relative, because the store may be below a path that this does not see.
                return Response.redirect(to: request.uri.query.map { "console/?\($0)" } ?? "console/", type: .found)
            }
            return StoreAsset.page.response
        }
        router.get("console/{file}") { _, context in
            guard let asset = StoreAsset.files[context.parameters.get("file") ?? ""] else { throw HTTPError(.notFound) }
            return asset.response
        }
    }
}
