/**
 * A printer's Configuration.h, its beginning and its Delta.
 */
#define CONFIGURATION_H_VERSION 02010300
#ifndef MOTHERBOARD
  #define MOTHERBOARD BOARD_RAMPS_14_EFB
#endif
#define CUSTOM_MACHINE_NAME "Ender-3, see https://example.org"
// @section delta
//#define DELTA
#if ENABLED(DELTA)
  #define DEFAULT_SEGMENTS_PER_SECOND 160
  //#define DELTA_HOME_TO_SAFE_ZONE
  #define DELTA_SMOOTH_ROD_OFFSET (150.0 + 2 * 0.5) // (mm)
  #define DELTA_EFFECTOR_OFFSET 24.0
  #define DELTA_CARRIAGE_OFFSET 22.0
  #define DELTA_RADIUS (DELTA_SMOOTH_ROD_OFFSET-(DELTA_EFFECTOR_OFFSET)-(DELTA_CARRIAGE_OFFSET))
  #define DELTA_DIAGONAL_ROD 218.0    // (mm)
  #define DELTA_HEIGHT 277.00         // (mm) Get this value from G33 auto calibrate
  #define DELTA_ENDSTOP_ADJ { 0.0, -0.2, -0.1 }
  //#define DELTA_RADIUS_TRIM_TOWER { 0.0, 0.0, 0.0 }
#endif
