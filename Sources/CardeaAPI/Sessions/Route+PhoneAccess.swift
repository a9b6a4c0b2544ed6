extension Route {
    /// Whether a phone's token may ask this. What is not named here is beyond phones: people, sessions, passes, settings, and whatever a
    /// newer hub adds.
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
            // What one was told, and being told.
            listNotices, acknowledgeNotice, acknowledgeNotices, registerPhonePush, unregisterPhonePush,
            // What proves the house's record to whoever looks on from outside.
            showAuditCheckpoint,
            // What happens.
            realtime, issueTicket, streamEvents, listChanges, keepReplica,
            // Whose phone it is, and its own end.
            showMyself, showPreferences, revokePhones,
        ].map(\.id))
}
