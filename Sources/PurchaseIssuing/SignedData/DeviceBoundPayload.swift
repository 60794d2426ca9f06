import Foundation

/// A payload that is encoded together with the two members that bind it to a device.
struct DeviceBoundPayload<Payload: Encodable>: Encodable {
    let payload: Payload
    let deviceBinding: DeviceBinding

    private enum CodingKeys: CodingKey {
        case deviceVerification
        case deviceVerificationNonce
    }

    func encode(to encoder: any Encoder) throws {
        try payload.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(deviceBinding.deviceVerification, forKey: .deviceVerification)
        try container.encode(deviceBinding.nonce.uuidString.lowercased(), forKey: .deviceVerificationNonce)
    }
}
