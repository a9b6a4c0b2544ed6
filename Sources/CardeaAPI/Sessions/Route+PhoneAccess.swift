extension Route {
    /// True if a phone's token may call this route. Routes that are not named here are closed to phones: people, sessions, passes,
    /// settings, and whatever a newer hub adds.
    public var isOpenToPhones: Bool { Self.openToPhones.contains(id) }

    private static let openToPhones: Set<String> = Set(
        [
            // Reading and controlling devices.
            listDevices, showDevice, controlDevice, controlDevices, showCommand, listScenes, showScene, runScene, listRooms, showRoom,
            showHistory, showEnergy, showEnvironment, showHouse, showCertificate, showEntityPicture,
            // Pressing buttons, and tapping the tags that press them.
            listButtons, showButton, pressButton, lookAtTag, tapTag,
            // Events at the door.
            listEvents, listRecentEvents, showEvent, showEventThumbnail, exportEventPicture, listIncidents, listCameras,
            showCamera, showCameraSnapshot, streamCameraPreview, listMobileCameras, showMobileCameraSnapshot,
            // Reading notifications, and receiving them.
            listNotices, acknowledgeNotice, acknowledgeNotices, registerPhonePush, unregisterPhonePush,
            // Proofs of the audit log for outside observers.
            showAuditCheckpoint,
            // Realtime events.
            realtime, issueTicket, streamEvents, listChanges, keepReplica,
            // The phone's person, and ending its own session.
            showMyself, showPreferences, revokePhones,
        ].map(\.id))
}
