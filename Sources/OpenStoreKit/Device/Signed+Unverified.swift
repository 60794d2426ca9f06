import Foundation
import FoundationExtras
package import PurchaseModel
import PurchaseProof

extension Signed where Payload: Decodable {
    /// The payload, decoded without verifying the signature; nil if the payload can't be decoded.
    ///
    /// Use the payload for comparisons, and to display data as unverified.
    package var unverifiedPayload: Payload? {
        guard let parts = try? UnverifiedJWS(compact) else { return nil }
        return try? WireJSON.decode(Payload.self, from: Data(parts.payload))
    }
}
