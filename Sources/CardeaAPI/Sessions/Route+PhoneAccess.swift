extension Route {
    /// True if a phone's token may call this route. Routes that are not named here are closed to phones: people, sessions, passes,
    /// settings, and whatever a newer hub adds.
    public var isOpenToPhones: Bool { Self.openToPhones.contains(id) }

    private static let openToPhones: Set<String> = Set(
        [
            // What is there, and moving it.
            listDevices, showDevice, controlDevice, controlDevices, showCommand, listScenes, showScene, runScene, listRooms, showRoom,
            showHistory, showEnergy, showEnvironment, showHouse, showCertificate, showEntityPicture,
            // Pressing buttons, and tapping the tags that press them.
            listButtons, showButton, pressButton, lookAtTag, tapTag,
            // Who was at the door.
            listEvents, listRecentEvents, showEvent, showEventThumbnail, exportEventPicture, listIncidents, listCameras,
            showCamera, showCameraSnapshot, streamCameraPreview, listMobileCameras, showMobileCameraSnapshot,
            // Notices, and receiving them.
            listNotices, acknowledgeNotice, acknowledgeNotices, registerPhonePush, unregisterPhonePush,
            // Proof of the audit trail for outside observers.
            showAuditCheckpoint,
            // What happens.
            realtime, issueTicket, streamEvents, listChanges, keepReplica,
            // Whose phone it is, and its own end.
            showMyself, showPreferences, revokePhones,
        ].map(\.id))
}
