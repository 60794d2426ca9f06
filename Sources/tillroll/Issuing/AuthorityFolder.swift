import ArgumentParser
import Foundation
import PrivateFiles
import PurchaseIssuing
import PurchaseModel

/// A folder with the local certificate authorities that sign sample data; each authority is created at its first use.
///
/// `authority.pem` and `xcode.pem` hold the private keys and are readable by their owner only; `roots.pem` and `xcode-roots.pem` hold the
/// certificates that a verifier must trust.
struct AuthorityFolder: Sendable {
    private let folder: String
    private let now: Timestamp

    init(_ folder: String, now: Timestamp = Timestamp(Date())) {
        self.folder = folder
        self.now = now
    }

    /// Returns the authority that signs data in the App Store's format.
    ///
    /// - Throws: A usage error if the folder can't be used.
    func authority() throws -> CertificateAuthority {
        try loadOrCreate(
            in: "authority.pem", roots: "roots.pem", reading: { try CertificateAuthority(archive: $0) },
            creating: {
                let authority = try CertificateAuthority(name: "Tillroll", now: now)
                return (try authority.archive, authority.rootsPEM)
            }
        )
    }

    /// Returns the issuer of transaction receipts in the format of iOS 6.
    ///
    /// - Throws: A usage error if the folder can't be used, or if its authority was created without a key for these receipts.
    func transactionReceipts() throws -> TransactionReceiptIssuer {
        do { return try TransactionReceiptIssuer(authority: authority()) } catch IssuingError.missingKey {
            throw ValidationError("The authority in \(folder) has no key for iOS 6 receipts. Choose a new folder with --authority.")
        }
    }

    /// Returns the authority that signs data in Xcode's format.
    ///
    /// - Throws: A usage error if the folder can't be used.
    func xcode() throws -> XcodeAuthority {
        try loadOrCreate(
            in: "xcode.pem", roots: "xcode-roots.pem", reading: { try XcodeAuthority(archive: $0) },
            creating: {
                let authority = try XcodeAuthority(now: now)
                return (try authority.archive, try authority.receiptCertificatePEM + authority.signedDataCertificatePEM)
            }
        )
    }

    /// Reads an authority from its file, or creates the authority and the file.
    ///
    /// The file is locked during the call, so that concurrent commands use the same authority.
    private func loadOrCreate<Authority>(
        in name: String, roots: String, reading: (String) throws -> Authority, creating: () throws -> (archive: String, roots: String)
    ) throws -> Authority {
        let path = "\(folder)/\(name)"
        do {
            try PrivateFiles.createFolder(folder)
            try PrivateFiles.createFile(path)
        } catch {
            throw ValidationError("\(error): this path can't be created or is not a folder. Choose another folder with --authority.")
        }
        var archive = ""
        do throws(SystemError) {
            let file = try FileDescriptor.opening(path, O_RDWR)
            defer { file.close() }
            guard flock(file.number, LOCK_EX) == 0 else { throw SystemError(number: errno) }
            while case let part = try file.read(atMost: 1 << 20), !part.isEmpty { archive += String(decoding: part, as: UTF8.self) }
            if archive.isEmpty, let created = try? creating() {
                do { try DurableFile.replace("\(folder)/\(roots)", with: Data(created.roots.utf8), isPublic: true) } catch {
                    throw SystemError(number: EIO)
                }
                try file.write(Array(created.archive.utf8))
                archive = created.archive
            }
        } catch {
            throw ValidationError("\(path) can't be used: \(error). Choose another folder with --authority.")
        }
        do { return try reading(archive) } catch {
            throw ValidationError("\(path) contains no authority of tillroll. Choose another folder with --authority, or remove the file.")
        }
    }
}

/// Writes issued receipts or JWS in large blocks to a file or to standard output.
struct IssuedOutput {
    private let path: String?
    private let file: FileDescriptor
    private var buffered: [UInt8] = []

    /// Opens the output: creates or truncates the file, or uses standard output for nil and `-`.
    ///
    /// - Throws: A usage error if the file can't be opened.
    init(path: String?) throws {
        self.path = path == "-" ? nil : path
        guard let path = self.path else {
            file = .standardOutput
            return
        }
        do { file = try FileDescriptor.opening(path, O_WRONLY | O_CREAT | O_TRUNC) } catch {
            throw ValidationError("\(path) can't be written: \(error). Choose another --output.")
        }
    }

    /// Adds bytes to the output.
    ///
    /// - Throws: `ExitCode.outputError` if the bytes can't be written.
    mutating func write(_ bytes: [UInt8]) throws(ExitCode) {
        buffered.append(contentsOf: bytes)
        if buffered.count >= 1 << 18 { try flush() }
    }

    /// Writes the remaining bytes and closes the file.
    ///
    /// - Throws: `ExitCode.outputError` if the bytes can't be written.
    mutating func finish() throws(ExitCode) {
        try flush()
        if path != nil { file.close() }
    }

    private mutating func flush() throws(ExitCode) {
        defer { buffered.removeAll(keepingCapacity: true) }
        guard let path else { return try StandardOutput.bytes(buffered) }
        do { try file.write(buffered) } catch {
            StandardError.line("Error: \(path) can't be written: \(error). Free some space or choose another --output.")
            throw ExitCode.outputError
        }
    }
}
