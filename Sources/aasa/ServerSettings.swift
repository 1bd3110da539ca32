import AssociationFiles
import AssociationServer
import CommandLineSupport
import Diagnostics
import JSONSyntax

/// The settings of the server that publishes files, as far as files are judged by them.
struct ServerSettings {
    private let configuration: ServerConfiguration

    /// Reads a configuration, if it is a server.json.
    ///
    /// - Returns: Nil if it is another one.
    init?(_ path: String) throws {
        guard let bytes = try? InputFile.read(path, limit: FileSizes.published), ServerConfiguration.isOne(bytes) else {
            return nil
        }
        do throws(ServerError) {
            // Without the files of 'acme', which may be readable for the service only.
            configuration = try ConfigurationReader.read(bytes, path: path) { finding in
                for line in finding.block { StandardError.write(line) }
            }
        } catch {
            throw error.exitStatus.failure(error.messages)
        }
    }

    /// The most bytes that a file may have.
    var limit: Int { configuration.limits.fileBytes }

    /// The file that the server publishes under a name besides those that every server has; nil if there is none.
    func file(named name: String) -> SiteFile? {
        configuration.wellKnown.contains { $0.name == name } ? SiteFile(name: name, in: configuration) : nil
    }
}
