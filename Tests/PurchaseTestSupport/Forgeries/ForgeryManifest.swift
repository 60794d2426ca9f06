/// The manifest of the corpus in `Tests/Forgeries`, `manifest.json`. The README there describes its format.
package struct ForgeryManifest: Codable, Sendable {
    /// The current version of the format. It increases with each incompatible change.
    package static let currentFormat = 1

    /// The file of the format's JSON schema.
    package var schema = "manifest.schema.json"
    /// The version of the format.
    package var format = currentFormat
    /// The creation date of the certificates, from which their validity is calculated.
    package var made: String
    /// The certificates that cases trust, and untrusted ones, by name.
    package var roots: [String: Root]
    /// The cases.
    package var cases: [Case]

    package init(made: String, roots: [String: Root], cases: [Case]) {
        self.made = made
        self.roots = roots
        self.cases = cases
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case format
        case made
        case roots
        case cases
    }

    /// A root certificate.
    package struct Root: Codable, Sendable {
        /// The PEM file.
        package var file: String
        /// The environments in which the root is trusted; empty for an untrusted root.
        package var environments: [String]
        /// The owner of the root.
        package var what: String

        package init(file: String, environments: [String], what: String) {
            self.file = file
            self.environments = environments
            self.what = what
        }
    }

    /// The kind of a case's data.
    package enum Kind: String, Codable, Sendable {
        case receipt
        case transactionReceipt = "transaction-receipt"
        case jws
    }

    /// The expected result of a verification.
    package enum Result: String, Codable, Sendable {
        case verified
        case refused
        case indeterminate
    }

    /// A forgery, a near miss or genuine data.
    package struct Case: Codable, Sendable, CustomStringConvertible {
        /// The stable name of the case.
        package var id: String
        package var kind: Kind
        /// The raw value of the `SignedDataKind` of a JWS.
        package var payload: String?
        /// The file with the data.
        package var file: String
        /// The defect or anomaly of the data.
        package var what: String
        /// The advantage for an attacker, or the damage to honest users, if a verifier is wrong.
        package var why: String
        /// The verifier's configuration.
        package var verify: Verify
        package var result: Result
        /// The code of the reason; nil for a verified case.
        package var reason: String?
        /// The place of the defect in the data.
        package var place: String?

        package init(
            id: String, kind: Kind, payload: String?, file: String, what: String, why: String, verify: Verify, result: Result,
            reason: String?, place: String?
        ) {
            self.id = id
            self.kind = kind
            self.payload = payload
            self.file = file
            self.what = what
            self.why = why
            self.verify = verify
            self.result = result
            self.reason = reason
            self.place = place
        }

        package var description: String { id }
    }

    /// The verifier's configuration for a case.
    package struct Verify: Codable, Sendable {
        /// The names of the trusted roots.
        package var roots: [String]
        /// The bundle identifier of the app.
        package var bundleID: String
        /// The accepted environments.
        package var environments: [String]
        /// The app's `appAppleId`.
        package var appAppleID: Int64?
        /// The app's version.
        package var appVersion: String?
        /// The device's UUID for receipts.
        package var device: String?
        /// The device verification ID for JWS.
        package var deviceVerificationID: String?
        /// The verifier's current time; nil for a case without checks against the current time.
        package var time: String?
        /// The maximum age of the data at ``time``, in seconds.
        package var maximumAge: Int64?
        /// The revocation check of certificates; nil for no check.
        package var revocation: Revocation?

        package init(roots: [String], bundleID: String, environments: [String]) {
            self.roots = roots
            self.bundleID = bundleID
            self.environments = environments
        }

        private enum CodingKeys: String, CodingKey {
            case roots
            case bundleID = "bundle_id"
            case environments
            case appAppleID = "app_apple_id"
            case appVersion = "app_version"
            case device
            case deviceVerificationID = "device_verification_id"
            case time
            case maximumAge = "maximum_age"
            case revocation
        }
    }

    /// The mode and the OCSP responses of a revocation check.
    package struct Revocation: Codable, Sendable {
        /// `hard` requires a response; `soft` does not.
        package var mode: String
        /// The recorded responses. A request for any other certificate has no response.
        package var answers: [Answer]

        package init(mode: String, answers: [Answer]) {
            self.mode = mode
            self.answers = answers
        }

        /// A recorded OCSP response.
        package struct Answer: Codable, Sendable {
            /// The serial number of the certificate, in lowercase hexadecimal digits.
            package var serial: String
            /// The file with the OCSP response in DER.
            package var file: String

            package init(serial: String, file: String) {
                self.serial = serial
                self.file = file
            }
        }
    }
}
