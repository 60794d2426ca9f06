import Foundation
import NIOCore
import PurchaseServer
import ServiceLifecycle

/// A service that listens; an address that it can't take is a configuration that has to be changed.
struct ListeningService<Base: Service>: Service {
    let base: Base
    /// The key of the configuration that names the port.
    let key: String
    let host: String
    let port: Int

    func run() async throws {
        do {
            try await base.run()
        } catch let error as IOError where [EADDRINUSE, EADDRNOTAVAIL, EACCES].contains(error.errnoCode) {
            throw refusal(error.errnoCode == EADDRINUSE ? "another process listens there" : String(cString: strerror(error.errnoCode)))
        } catch is SocketAddressError {
            throw ConfigurationError.listening(key: "host", address: "\(host):\(port)", reason: "the host has no address")
        }
    }

    private func refusal(_ reason: String) -> ConfigurationError {
        .listening(key: key, address: "\(host):\(port)", reason: reason)
    }
}
