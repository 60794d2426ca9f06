import Foundation
import PrivateFiles
import PurchaseTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct DurableFileTests {
    @Test func `a file is replaced completely, readable by its owner only, without leftover files`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("value").path
            try DurableFile.replace(path, with: Data("old and longer".utf8))
            try DurableFile.replace(path, with: Data("new".utf8))
            #expect(try Data(contentsOf: folder.file("value")) == Data("new".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["value"])
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func `a file is created once, and a second call leaves it as it is`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("key").path()
            let results = [
                try DurableFile.create(path, with: Data("first".utf8)), try DurableFile.create(path, with: Data("second".utf8)),
            ]
            #expect(results == [true, false])
            #expect(try Data(contentsOf: folder.file("key")) == Data("first".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == ["key"])
            #expect(throws: DurableFile.Failure.write) { try DurableFile.create(folder.file("none/key").path(), with: Data()) }
        }
    }

    @Test func `a missing folder is an error`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: DurableFile.Failure.write) { try DurableFile.replace(folder.url.path + "/none/value", with: Data()) }
    }

    @Test func `concurrent replacements of one file leave one complete file`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("item").path
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in UInt8(0)..<64 {
                    group.addTask { try DurableFile.replace(path, with: Data(repeating: number, count: 1_000)) }
                }
                try await group.waitForAll()
            }
            let bytes = try Data(contentsOf: folder.file("item"))
            #expect(bytes.count == 1_000 && Set(bytes).count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["item"])
        }
    }

    @Test func `a link in place of the new file is not followed, and another process's file is waited for`() async throws {
        try await TemporaryFolder.with { folder in
            let (path, other) = (folder.file("item").path, folder.file("other"))
            try Data("other".utf8).write(to: other)
            for isSymbolic in [true, false] {
                let manager = FileManager.default
                if isSymbolic {
                    try manager.createSymbolicLink(atPath: path + ".new", withDestinationPath: other.path)
                } else {
                    try manager.linkItem(atPath: other.path, toPath: path + ".new")
                }
                try DurableFile.replace(path, with: Data("item".utf8))
                #expect(try Data(contentsOf: folder.file("item")) == Data("item".utf8))
                #expect(try Data(contentsOf: other) == Data("other".utf8))
            }
            // A shell holds the lock of the new file, and appends to it while this process waits.
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "exec 9>\"$0.new\"; flock 9; echo locked; read line; echo rest >&9; mv \"$0.new\" \"$0\"", path]
            let (input, output) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
            async let replacement: Void = DurableFile.replace(path, with: Data("last".utf8))
            try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
            try await replacement
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(try Data(contentsOf: folder.file("item")) == Data("last".utf8))
        }
    }

    #if canImport(Glibc)
        @Test func `a new file that can't be opened is not removed`() async throws {
            // The values of F_SETSIG and F_SETLEASE, which Glibc declares as extensions only.
            let (setSignal, setLease): (Int32, Int32) = (10, 1024)
            try await TemporaryFolder.with { folder in
                let new = folder.file("item.new")
                try Data("other".utf8).write(to: new)
                let file = open(new.path, O_RDONLY | O_CLOEXEC)
                defer { _ = close(file) }
                // While a file has a lease, it can't be opened for writing at once. A process ignores SIGWINCH, unlike the default SIGIO.
                // Some file systems have no leases.
                guard file >= 0, fcntl(file, setSignal, SIGWINCH) == 0, fcntl(file, setLease, Int32(F_RDLCK)) == 0 else { return }
                #expect(throws: DurableFile.Failure.write) {
                    try DurableFile.replace(folder.file("item").path, with: Data("item".utf8))
                }
                #expect(try Data(contentsOf: new) == Data("other".utf8))
            }
        }
    #endif
}
