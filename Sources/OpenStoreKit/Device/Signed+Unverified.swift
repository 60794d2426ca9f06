import Foundation
package import PurchaseModel
import PurchaseProof

extension Signed where Payload: Decodable {
    /// What it claims, verified by nobody: for showing it as such, and for telling it from others; nil for what can't even be read.
    package var unverifiedPayload: Payload? {
        guard let parts = try? UnverifiedJWS(compact) else { return nil }
        return try? WireJSON.decode(Payload.self, from: Data(parts.payload))
    }
}
