/// Preferences by which the house acts from now on.
enum ApproversAndBrightness57 {
    static let answerers = """
        -- Who answers a guest whose pass asks each time. Whoever may let guests in did so before it was a choice.
        ALTER TABLE house ADD COLUMN asks_answered_by TEXT NOT NULL DEFAULT 'inviters'
            CHECK (asks_answered_by IN ('managers', 'inviters', 'everyone'));
        """

    static let brightness = """
        -- Every room had 100, which did nothing. From now on a light comes on at it, so only what somebody chose is kept.
        ALTER TABLE rooms RENAME COLUMN default_brightness TO former_brightness;
        ALTER TABLE rooms ADD COLUMN default_brightness INTEGER CHECK (default_brightness BETWEEN 1 AND 100);
        UPDATE rooms SET default_brightness = former_brightness WHERE former_brightness BETWEEN 1 AND 99;
        ALTER TABLE rooms DROP COLUMN former_brightness;
        """
}
