import Foundation
package import PurchaseModel
import PurchaseProof

extension Signed where Payload: Decodable {
    /// The unverified payload, for display as unverified and for comparisons; nil when the payload can't be decoded.
    package var unverifiedPayload: Payload? {
        guard let parts = try? UnverifiedJWS(compact) else { return nil }
        return try? WireJSON.decode(Payload.self, from: Data(parts.payload))
    }
}
