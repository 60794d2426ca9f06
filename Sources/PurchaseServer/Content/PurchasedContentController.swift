import ContentStorage
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire
import WireServer

/// The endpoints for content: one lists the items of a product, one issues a download token, the others send files for a download token.
///
/// The file middleware of Hummingbird is not used, because the middleware answers suffix ranges and ranges past the end incorrectly.
struct PurchasedContentController: Sendable {
    /// The lifetime of a presigned URL, which a client uses at once.
    private static let urlLifetime = Duration.seconds(60)

    let apps: Apps

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.contentItems) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.content.items(of: product(context), for: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.downloadToken) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.content.issueToken(for: product(context), to: request.requiredCustomer(of: caller))
        }
    }

    /// Adds the download routes, whose requests have a download token instead of an API key.
    func addDownloadRoutes(to router: some RouterMethods<ServerContext>) {
        // Add the routes without endpoints, because the responses are not JSON.
        router.get(RouterPath(ServerEndpoints.content.template)) { request, context in
            let (content, claims) = try await claims(request, context)
            let (file, download) = try await content.download(choice(request), claims)
            return try await respond(with: file, download, claims, content, to: request, context)
        }
        router.get(RouterPath(ServerEndpoints.contentManifest.template)) { request, context in
            let (content, claims) = try await claims(request, context)
            let (file, download) = try await content.download(choice(request), claims)
            return try await respond(withManifestOf: file, download, claims, content, to: request, context)
        }
    }

    private func product(_ context: ServerContext) throws -> ProductID {
        ProductID(try context.parameter("product"))
    }

    private func choice(_ request: Request) throws -> ContentChoice {
        ContentChoice(
            item: try request.query("item").map { ContentItemName($0) },
            version: try request.query("version").map { ContentVersionName($0) })
    }

    /// Returns the claims of a request's token, and the content service of the app whose key authenticates the token.
    private func claims(_ request: Request, _ context: ServerContext) async throws -> (PurchasedContentService, DownloadClaims) {
        let product = try product(context)
        guard let token = request.bearerToken else { throw ContentRefusal.tokenMissing }
        for app in apps.all {
            do { return (app.content, try await app.content.claims(of: token, for: product)) } catch ContentRefusal.tokenRefused {
                continue
            }
        }
        for app in apps.all where try await app.content.hasContent(product) { throw ContentRefusal.tokenRefused }
        throw ContentRefusal.noContent(product)
    }

    private func respond(
        with file: ContentFile, _ download: MeteredDownload, _ claims: DownloadClaims, _ content: PurchasedContentService,
        to request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        let object = try await content.library.object(of: file, of: claims.product)
        let headers = HTTPFields(describing: file)
        var handOff: HTTPFields?
        let response = try await Response.content(
            length: file.length, entityTag: file.entityTag, headers: headers, for: request
        ) { range in
            try download.reserve(range.upperBound - range.lowerBound)
            switch content.delivery {
            case .direct:
                let chunks = try await content.library.read(object, range, of: claims.product)
                return DownloadStream(
                    chunks: chunks, download: download, eventLoop: context.eventLoop, clock: content.clock,
                    check: { try await content.check(claims) }
                ).body
            case .nginx(let location):
                // Count the whole range as sent, because nginx does not report the number of sent bytes to the server.
                download.sent(range.upperBound - range.lowerBound)
                handOff = [.xAccelRedirect: location + file.key.percentEncoded]
            case .presigned:
                download.sent(range.upperBound - range.lowerBound)
                handOff = content.bucket.map { [.location: $0.presignedURL(for: file.key, expiresIn: Self.urlLifetime).text] }
            }
            return ResponseBody()
        }
        guard let handOff else { return response }
        return .handOff(handOff, describing: headers, file)
    }

    private func respond(
        withManifestOf file: ContentFile, _ download: MeteredDownload, _ claims: DownloadClaims, _ content: PurchasedContentService,
        to request: Request, _ context: ServerContext
    ) async throws -> Response {
        let headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "private, no-store", .xContentTypeOptions: "nosniff",
        ]
        let entityTag = "\"\(file.manifestDigest)\""
        switch file.manifest {
        case .computed(let manifest):
            let json = ByteBuffer(data: try manifest.json())
            return await Response.content(
                length: Int64(json.readableBytes), entityTag: entityTag, headers: headers, for: request
            ) { range in
                ResponseBody(byteBuffer: json.getSlice(at: Int(range.lowerBound), length: range.count) ?? ByteBuffer())
            }
        case .object(let key):
            let object = try await content.library.manifest(key, of: claims.product)
            return try await Response.content(
                length: object.length, entityTag: entityTag, headers: headers, for: request
            ) { range in
                try download.reserve(range.upperBound - range.lowerBound)
                let chunks = try await content.library.read(object, range, of: claims.product)
                return DownloadStream(
                    chunks: chunks, download: download, eventLoop: context.eventLoop, clock: content.clock,
                    check: { try await content.check(claims) }
                ).body
            }
        }
    }
}

extension Response {
    /// Returns a response that lets nginx send the bytes of a file, or that redirects the client to a presigned URL.
    ///
    /// A response for nginx has status 200 and the headers of the file; nginx applies the range of the request. A redirection of the client
    /// omits the headers of the file, because the response contains no part of the file.
    fileprivate static func handOff(_ fields: HTTPFields, describing headers: HTTPFields, _ file: ContentFile) -> Response {
        var fields = fields
        guard fields[.location] == nil else {
            fields[.cacheControl] = "private, no-store"
            return Response(status: .temporaryRedirect, headers: fields)
        }
        fields.append(contentsOf: headers)
        fields[.eTag] = file.entityTag
        fields[.acceptRanges] = "bytes"
        return Response(status: .ok, headers: fields)
    }
}
