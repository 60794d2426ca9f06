import ArgumentParser
import Foundation
import PrivateFiles
import PurchaseIssuing
import PurchaseModel

/// A folder with local authorities, which are created at first use.
///
/// `authority.pem` and `xcode.pem` hold the private keys and are readable by their owner only; `roots.pem` and `xcode-roots.pem` hold the
/// certificates that a verifier has to trust.
struct AuthorityFolder: Sendable {
    private let folder: String
    private let now: Timestamp

    init(_ folder: String, now: Timestamp = Timestamp(Date())) {
        self.folder = folder
        self.now = now
    }

    /// The authority that signs in the App Store's form.
    ///
    /// - Throws: A usage error if the folder can't be used.
    func authority() throws -> CertificateAuthority {
        try kept(
            in: "authority.pem", roots: "roots.pem", reading: { try CertificateAuthority(archive: $0) },
            making: {
                let authority = try CertificateAuthority(name: "Tillroll", now: now)
                return (try authority.archive, authority.rootsPEM)
            }
        )
    }

    /// The issuer of receipts of iOS 6 transactions.
    ///
    /// - Throws: A usage error if the folder can't be used, or if its authority is of an earlier version without the issuer's key.
    func transactionReceipts() throws -> TransactionReceiptIssuer {
        do { return try TransactionReceiptIssuer(authority: authority()) } catch IssuingError.noKey {
            throw ValidationError("The authority in \(folder) has no key for receipts of iOS 6; choose a new folder with --authority.")
        }
    }

    /// The authority that signs in Xcode's form.
    ///
    /// - Throws: A usage error if the folder can't be used.
    func xcode() throws -> XcodeAuthority {
        try kept(
            in: "xcode.pem", roots: "xcode-roots.pem", reading: { try XcodeAuthority(archive: $0) },
            making: {
                let authority = try XcodeAuthority(now: now)
                return (try authority.archive, try authority.receiptCertificatePEM + authority.signedDataCertificatePEM)
            }
        )
    }

    /// Reads an authority from a file, or creates the authority and the file; two commands at the same time get the same authority.
    private func kept<Authority>(
        in name: String, roots: String, reading: (String) throws -> Authority, making: () throws -> (archive: String, roots: String)
    ) throws -> Authority {
        let path = "\(folder)/\(name)"
        do {
            try PrivateFiles.makeFolder(folder)
            try PrivateFiles.makeFile(path)
        } catch {
            throw ValidationError("\(error): it can't be made or is no folder. Choose another with --authority.")
        }
        var archive = ""
        do throws(SystemError) {
            let file = try FileDescriptor.opening(path, O_RDWR)
            defer { file.close() }
            guard flock(file.number, LOCK_EX) == 0 else { throw SystemError(number: errno) }
            while case let part = try file.read(atMost: 1 << 20), !part.isEmpty { archive += String(decoding: part, as: UTF8.self) }
            if archive.isEmpty, let made = try? making() {
                do { try DurableFile.replace("\(folder)/\(roots)", with: Data(made.roots.utf8), isPublic: true) } catch {
                    throw SystemError(number: EIO)
                }
                try file.write(Array(made.archive.utf8))
                archive = made.archive
            }
        } catch {
            throw ValidationError("\(path) can't be used: \(error). Choose another folder with --authority.")
        }
        do { return try reading(archive) } catch {
            throw ValidationError("\(path) is no authority of ours. Choose another folder with --authority, or remove the file.")
        }
    }
}
