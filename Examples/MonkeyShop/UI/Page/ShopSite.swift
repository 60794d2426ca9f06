import Foundation
import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore
public import ServiceLifecycle
import WireServer

/// The web page of the sample app: simulated phones, with a store and a purchase server for each visitor.
///
/// The site renders the page, and updates it with server-sent events. In a browser without scripts, each tap loads the page again.
public struct ShopSite: Sendable {
    private static let cookie = "shop"
    private static let formLimit = 1 << 14

    /// The visitors; ``Visitors/run(while:)`` must run while the site runs.
    public let visitors: Visitors
    private let publicHost: String?
    private let templates: PageTemplates

    /// Creates the site.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder for the visitors' files.
    ///   - publicHost: The host name of a site on the internet, behind a proxy that terminates TLS; nil for a local site.
    ///   - appExecutable: The path of the executable that runs each phone's app in a separate process; nil to run the apps in this process.
    ///   - limits: The limits for the visitors.
    ///   - logger: The log of the stores, the servers and the devices.
    /// - Throws: An error of the page's templates.
    public init(
        folder: String, publicHost: String? = nil, appExecutable: String? = nil, limits: ShopLimits = ShopLimits(), logger: Logger
    ) throws {
        try self.init(Visitors(folder: folder, appExecutable: appExecutable, limits: limits, logger: logger), publicHost: publicHost)
    }

    init(_ visitors: Visitors, publicHost: String? = nil) throws {
        self.visitors = visitors
        self.publicHost = publicHost
        templates = try PageTemplates()
    }

    /// Returns a service that listens on a port of this machine while it runs.
    ///
    /// - Parameters:
    ///   - port: The port on 127.0.0.1; 0 for a free port.
    ///   - logger: The log of the service.
    ///   - onServerRunning: Called with the port when the service listens.
    public func application(
        port: Int, logger: Logger, onServerRunning: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol & Service {
        ConnectionLimits.development.localApplication(
            port: port, publicHost: publicHost, serverName: "tillroll", logger: logger, onServerRunning: onServerRunning,
            addRoutes: addRoutes(to:))
    }

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in
            // Begin a new visit for a link with a script.
            if let play = request.uri.queryParameters["play"].map({ String($0) }), VisitScript(text: play) != nil {
                return html(.ok, templates.start(in: request.language, playing: play))
            }
            guard let session = await session(of: request) else { return html(.ok, templates.start(in: request.language)) }
            return html(.ok, templates.page(await PageView(session.visitor)))
        }
        router.post("/start") { request, _ in
            guard request.isSameOrigin else { throw HTTPError(.forbidden) }
            let body = try await request.wholeBody(upTo: Self.formLimit)
            let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body))
            let script = fields?["play"].flatMap { VisitScript(text: $0) }
            let isVisitor = await session(of: request) != nil
            if !isVisitor || script != nil {
                let language = request.language
                guard let token = await visitors.open(in: language, from: address(of: request), playing: script) else {
                    return html(.serviceUnavailable, templates.full(in: language))
                }
                if isVisitor, let old = request.cookies[Self.cookie]?.value { await visitors.end(old) }
                var response = Response.redirect(to: "/", type: .normal)
                response.setCookie(
                    Cookie(
                        name: Self.cookie, value: token, path: "/", secure: publicHost != nil, httpOnly: true, sameSite: .strict))
                return response
            }
            return .redirect(to: "/", type: .normal)
        }
        router.post("/act") { request, _ in
            guard request.isSameOrigin else { throw HTTPError(.forbidden) }
            guard let session = await session(of: request) else { return Response.redirect(to: "/", type: .normal) }
            if let seconds = session.waitingTime() {
                throw HTTPError(.tooManyRequests, headers: [.retryAfter: "\(seconds)"])
            }
            let body = try await request.wholeBody(upTo: Self.formLimit)
            guard let fields = try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body)),
                let action = ShopAction(fields)
            else { throw HTTPError(.badRequest) }
            session.actions.yield(Visitors.Action(action: action, fields: fields))
            guard request.headers[.accept] != "text/event-stream" else { return Response(status: .noContent) }
            return Response.redirect(to: "/", type: .normal)
        }
        router.get("/events") { request, _ in
            guard let session = await session(of: request) else { throw HTTPError(.notFound) }
            let visitor = session.visitor
            let body = ResponseBody { [templates] writer in
                var shown: PageView?
                for await _ in visitor.updates.cancelOnGracefulShutdown() {
                    let view = await PageView(visitor)
                    let events = templates.events(from: shown, to: view)
                    shown = view
                    if !events.isEmpty { try await writer.write(ByteBuffer(string: events)) }
                }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"], body: body)
        }
        router.get("/{file}") { _, context in
            guard let asset = ShopAsset.files[context.parameters.get("file") ?? ""] else { throw HTTPError(.notFound) }
            return response(.ok, asset.type, asset.text)
        }
    }

    private func session(of request: Request) async -> Visitors.Session? {
        guard let token = request.cookies[Self.cookie]?.value else { return nil }
        return await visitors.session(token, from: address(of: request))
    }

    /// The visitor's address from `X-Forwarded-For`; nil for a site without a public host name.
    private func address(of request: Request) -> String? { publicHost.map { _ in request.forwardedPeer } }

    private func html(_ status: HTTPResponse.Status, _ text: String) -> Response { response(status, "text/html; charset=utf-8", text) }

    /// The Content Security Policy: no resources of other hosts, no inline scripts or styles, pictures from the person's device, and
    /// conversion of text to markup by the page's script only.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; \
        base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types page
        """

    private func response(_ status: HTTPResponse.Status, _ type: String, _ text: String) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: "no-store", .contentSecurityPolicy: Self.policy, .xContentTypeOptions: "nosniff",
        ]
        // Avoid `no-referrer`, with which a browser would send the start page's form with the origin `null`, which the site refuses.
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") { headers[referrerPolicy] = "same-origin" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension Request {
    /// The first of the page's languages in `Accept-Language` (RFC 9110, section 12.5.4); weights are ignored, because browsers list the
    /// preferred language first.
    fileprivate var language: PageLanguage {
        let accepted = (headers[.acceptLanguage] ?? "").split(separator: ",").lazy.map {
            $0.drop(while: { $0 == " " }).prefix(2).lowercased()
        }
        return accepted.compactMap { PageLanguage(rawValue: $0) }.first ?? .english
    }
}
