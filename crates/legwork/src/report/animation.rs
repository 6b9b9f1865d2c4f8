//! Robots that move.

use crate::{AnyRobot, PlatformState, RobotError, Skeleton};

/// One robot, or several in the same place, over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// What it shows.
    pub title: String,
    /// The runs to show, the first one on top.
    pub runs: Vec<Moving>,
    /// Where the robots should be at each time, drawn faintly; runs with one wish have one of them.
    pub references: Vec<Moving>,
}

/// One robot over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Moving {
    /// Name of the run.
    pub name: String,
    /// \[s\], rising.
    pub times: Vec<f64>,
    /// Its parts, and its points at the first time at which it can be drawn.
    pub skeleton: Skeleton,
    /// Its points at each time \[m\]; not numbers where it cannot be drawn.
    pub frames: Vec<Vec<[f64; 3]>>,
}

impl Animation {
    /// Without robots.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), runs: Vec::new(), references: Vec::new() }
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, run: Moving) -> Self {
        self.runs.push(run);
        self
    }

    /// With one more wish, if it is not there yet.
    #[must_use]
    pub fn with_reference(mut self, reference: Moving) -> Self {
        if !self.references.iter().any(|one| one.times == reference.times && one.frames == reference.frames) {
            self.references.push(reference);
        }
        self
    }
}

impl Moving {
    /// The robot at these times and poses; a pose that it cannot take stays empty.
    /// It is an error if it can take none of them.
    pub fn new(
        name: impl Into<String>,
        robot: &AnyRobot,
        states: impl IntoIterator<Item = (f64, PlatformState)>,
    ) -> Result<Self, RobotError> {
        let mut skeleton: Option<Skeleton> = None;
        let (mut times, mut drawn) = (Vec::new(), Vec::new());
        let mut refused = None;
        for (time, pose) in states {
            // Only the pose is drawn.
            let still = PlatformState::at(pose.position).turned(pose.rotation);
            times.push(time);
            drawn.push(match robot.skeleton(&still) {
                Ok(found) => {
                    let points = found.points.clone();
                    skeleton.get_or_insert(found);
                    Some(points)
                }
                Err(error) => {
                    refused.get_or_insert(error);
                    None
                }
            });
        }
        let skeleton = match (skeleton, refused) {
            (Some(skeleton), _) => skeleton,
            (None, Some(error)) => return Err(error),
            (None, None) => robot.skeleton(&robot.home())?,
        };
        let empty = vec![[f64::NAN; 3]; skeleton.points.len()];
        let frames = drawn.into_iter().map(|points| points.unwrap_or_else(|| empty.clone())).collect();
        Ok(Self { name: name.into(), times, skeleton, frames })
    }

    /// How many of its times show nothing.
    pub fn missing(&self) -> usize {
        self.frames.iter().filter(|frame| frame.iter().flatten().any(|x| x.is_nan())).count()
    }
}
