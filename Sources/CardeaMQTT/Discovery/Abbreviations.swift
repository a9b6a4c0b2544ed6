import CardeaModel

/// The short keys of Home Assistant's MQTT discovery, for the kinds spoken here (Home Assistant, MQTT integration, "Discovery payload").
enum Abbreviations {
    /// The keys of an announcement with their long names. A long name that is there too wins.
    static func expand(_ members: [String: JSONValue]) -> [String: JSONValue] { expand(members, by: entity) }

    static func expandDevice(_ members: [String: JSONValue]) -> [String: JSONValue] { expand(members, by: device) }

    private static func expand(_ members: [String: JSONValue], by table: [String: String]) -> [String: JSONValue] {
        var expanded = members
        for (key, value) in members {
            guard let long = table[key] else { continue }
            expanded[key] = nil
            if members[long] == nil { expanded[long] = value }
        }
        return expanded
    }

    private static func table(_ lines: String) -> [String: String] {
        var table: [String: String] = [:]
        for line in lines.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let short = words.first, let long = words.last { table[String(short)] = String(long) }
        }
        return table
    }

    private static let device = table(
        """
        ids identifiers
        cns connections
        cu configuration_url
        hw hw_version
        mf manufacturer
        mdl model
        mdl_id model_id
        sa suggested_area
        sn serial_number
        sw sw_version
        via via_device
        """)

    private static let entity = table(
        """
        act_t action_topic
        act_tpl action_template
        avty availability
        avty_mode availability_mode
        avty_t availability_topic
        avty_tpl availability_template
        bri_cmd_t brightness_command_topic
        bri_cmd_tpl brightness_command_template
        bri_scl brightness_scale
        bri_stat_t brightness_state_topic
        bri_tpl brightness_template
        bri_val_tpl brightness_value_template
        clr_temp_cmd_t color_temp_command_topic
        clr_temp_cmd_tpl color_temp_command_template
        clr_temp_k color_temp_kelvin
        clr_temp_stat_t color_temp_state_topic
        clr_temp_tpl color_temp_template
        clr_temp_val_tpl color_temp_value_template
        clrm color_mode
        clrm_stat_t color_mode_state_topic
        clrm_val_tpl color_mode_value_template
        cmd_off_tpl command_off_template
        cmd_on_tpl command_on_template
        cmd_t command_topic
        cmd_tpl command_template
        cmps components
        cod_form code_format
        curr_temp_t current_temperature_topic
        curr_temp_tpl current_temperature_template
        def_ent_id default_entity_id
        dev device
        dev_cla device_class
        e encoding
        en enabled_by_default
        ent_cat entity_category
        exp_aft expire_after
        fx_cmd_t effect_command_topic
        fx_list effect_list
        fx_stat_t effect_state_topic
        hs_cmd_t hs_command_topic
        hs_cmd_tpl hs_command_template
        hs_stat_t hs_state_topic
        hs_val_tpl hs_value_template
        ic icon
        json_attr_t json_attributes_topic
        json_attr_tpl json_attributes_template
        max_mirs max_mireds
        min_mirs min_mireds
        max_k max_kelvin
        min_k min_kelvin
        mode_cmd_t mode_command_topic
        mode_cmd_tpl mode_command_template
        mode_stat_t mode_state_topic
        mode_stat_tpl mode_state_template
        o origin
        obj_id object_id
        off_dly off_delay
        on_cmd_type on_command_type
        ops options
        opt optimistic
        p platform
        pct_cmd_t percentage_command_topic
        pct_cmd_tpl percentage_command_template
        pct_stat_t percentage_state_topic
        pct_val_tpl percentage_value_template
        pl_avail payload_available
        pl_cls payload_close
        pl_lock payload_lock
        pl_not_avail payload_not_available
        pl_off payload_off
        pl_on payload_on
        pl_open payload_open
        pl_prs payload_press
        pl_rst payload_reset
        pl_rst_pct payload_reset_percentage
        pl_stop payload_stop
        pl_stop_tilt payload_stop_tilt
        pl_unlk payload_unlock
        pos position
        pos_clsd position_closed
        pos_open position_open
        pos_t position_topic
        pos_tpl position_template
        pow_cmd_t power_command_topic
        pow_cmd_tpl power_command_template
        pow_stat_t power_state_topic
        pow_stat_tpl power_state_template
        ret retain
        rgb_cmd_t rgb_command_topic
        rgb_cmd_tpl rgb_command_template
        rgb_stat_t rgb_state_topic
        rgb_val_tpl rgb_value_template
        set_pos_t set_position_topic
        set_pos_tpl set_position_template
        spd_rng_max speed_range_max
        spd_rng_min speed_range_min
        stat_cla state_class
        stat_closing state_closing
        stat_clsd state_closed
        stat_jam state_jammed
        stat_locked state_locked
        stat_locking state_locking
        stat_off state_off
        stat_on state_on
        stat_open state_open
        stat_opening state_opening
        stat_stopped state_stopped
        stat_t state_topic
        stat_tpl state_template
        stat_unlocked state_unlocked
        stat_unlocking state_unlocking
        stat_val_tpl state_value_template
        sug_dsp_prc suggested_display_precision
        sup_clrm supported_color_modes
        t topic
        temp_cmd_t temperature_command_topic
        temp_cmd_tpl temperature_command_template
        temp_hi_cmd_t temperature_high_command_topic
        temp_lo_cmd_t temperature_low_command_topic
        temp_stat_t temperature_state_topic
        temp_stat_tpl temperature_state_template
        temp_unit temperature_unit
        tilt_clsd_val tilt_closed_value
        tilt_cmd_t tilt_command_topic
        tilt_cmd_tpl tilt_command_template
        tilt_opnd_val tilt_opened_value
        tilt_opt tilt_optimistic
        tilt_status_t tilt_status_topic
        tilt_status_tpl tilt_status_template
        uniq_id unique_id
        unit_of_meas unit_of_measurement
        val_tpl value_template
        """)
}
