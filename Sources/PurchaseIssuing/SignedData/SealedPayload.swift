import Foundation

/// A payload with the two members that bind it to a device.
struct SealedPayload<Payload: Encodable>: Encodable {
    let payload: Payload
    let seal: DeviceSeal

    private enum CodingKeys: CodingKey {
        case deviceVerification
        case deviceVerificationNonce
    }

    func encode(to encoder: any Encoder) throws {
        try payload.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(seal.deviceVerification, forKey: .deviceVerification)
        try container.encode(seal.nonce.uuidString.lowercased(), forKey: .deviceVerificationNonce)
    }
}
