import Foundation
import NIOCore
import PurchaseServer
import ServiceLifecycle

/// Runs a service that listens on an address, and reports a failure to listen as a configuration error.
///
/// The error names the configuration key, host or port, that must be changed.
struct ListeningService<Base: Service>: Service {
    let base: Base
    /// The configuration key of the port, such as `console-port`.
    let key: String
    let host: String
    let port: Int

    func run() async throws {
        do {
            try await base.run()
        } catch let error as IOError where [EADDRINUSE, EADDRNOTAVAIL, EACCES].contains(error.errnoCode) {
            throw switch error.errnoCode {
            case EADDRINUSE: refusal("another process uses the port", key)
            case EADDRNOTAVAIL: refusal("the host is not an address of this machine", "host")
            default: refusal(String(cString: strerror(error.errnoCode)), key)
            }
        } catch is SocketAddressError {
            throw refusal("the host has no address", "host")
        }
    }

    private func refusal(_ reason: String, _ key: String) -> ConfigurationError {
        .listening(key: key, address: "\(host):\(port)", reason: reason)
    }
}
