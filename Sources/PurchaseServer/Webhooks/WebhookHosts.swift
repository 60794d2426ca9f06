import Foundation
import NIOPosix
import PurchaseModel
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The addresses to which the server sends webhooks.
public enum WebhookAddresses: String, Codable, Hashable, Sendable, CaseIterable {
    /// HTTPS to public addresses only.
    case `public`
    /// HTTP and HTTPS to any address, for development.
    case any
}

/// Resolves the name of a host to IP addresses.
protocol HostResolver: Sendable {
    /// Returns the addresses of a host as text, in the order of preference; an empty result for an unknown host.
    func addresses(of host: String) async -> [String]
}

/// The resolver of the operating system.
struct SystemHostResolver: HostResolver {
    /// The longest wait for the replies of name servers, in seconds.
    static let deadline: Int64 = 5

    /// Threads of their own, because the function of the C library can wait for half a minute, and must not delay other work.
    private static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 4)
        threads.start()
        return threads
    }()

    func addresses(of host: String) async -> [String] {
        let (results, result) = AsyncStream.makeStream(of: [String].self)
        Self.threads.submit { _ in
            result.yield(Self.resolve(host))
            result.finish()
        }
        let deadline = Task {
            try await Task.sleep(for: .seconds(Self.deadline))
            result.finish()
        }
        defer { deadline.cancel() }
        return await results.first { _ in true } ?? []
    }

    private static func resolve(_ host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(entry.ai_addr, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 {
                addresses.append(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
            next = entry.ai_next
        }
        return addresses
    }
}

/// The reason why the server does not connect to an address of a webhook.
enum WebhookAddressError: Error, Hashable {
    /// The scheme is not `https`.
    case insecure
    /// The host has no address.
    case unknownHost
    /// An address of the host is not public.
    case forbidden
}

/// Resolves and checks the hosts of webhooks.
///
/// A host with an address that is not public is refused, because a request could reach the services of the server's own network. The
/// connection uses the checked address, so that a second reply of the name server can't replace the address.
final class WebhookHosts: Sendable {
    /// The number of seconds for which a checked address is used without another resolution.
    private static let lifetime: Int64 = 30
    /// The maximum number of remembered hosts.
    private static let limit = 1_000

    /// The number of seconds for which a host without an address is not resolved again.
    private static let failureLifetime: Int64 = 5

    private struct Checked {
        /// The checked address; nil for a host without an address.
        let address: IPAddress?
        let until: Timestamp
    }

    private let permitted: WebhookAddresses
    private let resolver: any HostResolver
    private let clock: any WallClock
    // reason: hosts of URLs, which are ASCII
    private let checked = Mutex<[String: Checked]>([:])

    init(_ permitted: WebhookAddresses, resolver: any HostResolver, clock: any WallClock) {
        self.permitted = permitted
        self.resolver = resolver
        self.clock = clock
    }

    /// Checks the parts of a URL that need no resolution: the scheme, and a host that is an address.
    func check(_ url: WebhookURL) throws(WebhookAddressError) {
        guard permitted == .public else { return }
        guard url.isSecure else { throw .insecure }
        if let literal = IPAddress(url.host), !literal.isPublic { throw .forbidden }
    }

    /// Returns the address for the connection to a URL.
    func address(of url: WebhookURL) async throws(WebhookAddressError) -> IPAddress {
        try check(url)
        if let literal = IPAddress(url.host) { return literal }
        let now = clock.now
        if let known = checked.withLock({ $0[url.host] }), known.until > now { return try known.address.orUnknownHost() }
        let texts = await resolver.addresses(of: url.host)
        let addresses = texts.compactMap { IPAddress($0) }
        // An address that can't be read, such as one with a zone, is not public.
        guard permitted == .any || addresses.count == texts.count && addresses.allSatisfy(\.isPublic) else { throw .forbidden }
        let lifetime = addresses.isEmpty ? Self.failureLifetime : Self.lifetime
        checked.withLock { checked in
            if checked.count >= Self.limit { checked = [:] }
            checked[url.host] = Checked(address: addresses.first, until: now.adding(seconds: lifetime))
        }
        return try addresses.first.orUnknownHost()
    }
}

/// The URL of a webhook, with its host.
struct WebhookURL: Hashable, Sendable {
    let text: String
    /// The name or the address of the host, without the brackets of an IPv6 address.
    let host: String
    let isSecure: Bool

    /// Parses a URL; nil for a text that an HTTP client can't open.
    init?(_ text: String) {
        guard let url = HTTPURL(text), let host = URLComponents(string: text)?.percentEncodedHost, !host.contains("%") else { return nil }
        self.text = text
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        isSecure = url.isSecure
    }
}

extension IPAddress {
    /// The ranges of IPv4 that are not public (IANA IPv4 Special-Purpose Address Registry), and multicast.
    private static let reservedV4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
        "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap { IPNetwork($0) }
    /// The range of IPv6 with public addresses (RFC 4291, section 2.4), without the ranges that contain IPv4 addresses, and those for
    /// documentation and protocols (IANA IPv6 Special-Purpose Address Registry).
    private static let publicV6 = IPNetwork("2000::/3")
    private static let reservedV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].compactMap { IPNetwork($0) }

    /// Whether the address is one of the public Internet.
    var isPublic: Bool {
        if isV4 { return !Self.reservedV4.contains { $0.contains(self) } }
        return Self.publicV6?.contains(self) ?? false && !Self.reservedV6.contains { $0.contains(self) }
    }
}

extension IPAddress? {
    fileprivate func orUnknownHost() throws(WebhookAddressError) -> IPAddress {
        guard let self else { throw .unknownHost }
        return self
    }
}
