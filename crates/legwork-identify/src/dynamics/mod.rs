//! Identification of inertial and friction parameters from logs of motions and efforts.
