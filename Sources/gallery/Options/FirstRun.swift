import Basics
import Foundation
import TerminalPictures

extension ServiceOptions {
    /// Says once which photographs these are, where nothing has said which to show. Where the state folder cannot keep
    /// that it was told, it is not told at all, rather than each time.
    func tellOfFirstRun(_ context: Context) {
        let (folders, manager) = (context.folders, FileManager.default)
        guard !network.quiet, !namesSource, UsualService(context).origin == .standard,
            context.abilities.columns != nil, context.terminal.showsMessages,
            !manager.fileExists(atPath: folders.configurationFile.path),
            !manager.fileExists(atPath: folders.welcome.path),
            (try? PrivateFile.replace(folders.welcome, with: Data(), isDurable: false)) != nil
        else { return }
        context.terminal.message(
            "These twelve photographs are a demo. Yours: 'gallery --folder ~/Pictures'. "
                + "The world's, without a key: 'gallery -s commons'.")
    }
}
