//! Trees as boxes in boxes.

use layout::TreemapView;
use profile::MetricId;
use protocol::{ErrorCode, FlameColumns, FlameResult, ProtocolError, Reply, TreemapParams};

use super::nodes::{breadcrumb, node_of};
use crate::kinds::profile::pictures::boxes::{Boxes, painter};
use crate::kinds::profile::trees::views::view_of;
use crate::{ProfileDocument, lock};

/// Most boxes in an answer: more are too small to be told apart.
const MOST_BOXES: usize = 2_000;

pub(crate) fn treemap(
    document: &ProfileDocument,
    params: &TreemapParams,
) -> Result<Reply<FlameResult, FlameColumns>, ProtocolError> {
    let sizes = [params.width, params.height];
    let is_sound = sizes.iter().all(|size| size.is_finite() && *size >= 1.0);
    if !is_sound || !(0.0..=1.0).contains(&params.least) {
        let message = "a treemap needs a width, a height and a least share from 0 to 1";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let root = node_of(&view, &tree, params.instance, params.root)?;
    let TreemapParams { width, height, least, .. } = *params;
    let wanted = TreemapView { root, width, height, least, most_boxes: MOST_BOXES };
    let layout = layout::treemap(&mut tree, &wanted);
    let painter = painter(document, &view, &mut tree, MetricId(params.view.metric));
    let mut boxes = Boxes::new(document, &tree, painter, &params.search, params.labels)?;
    for entry in &layout.boxes {
        boxes.push(&mut tree, &entry.of);
        boxes.push_height(entry.y, entry.height);
    }
    let (result, columns) = boxes.finish(&tree, view.instance, root);
    let result = FlameResult {
        merged_frames: layout.merged as f64,
        total_rows: layout.levels,
        narrowest: layout.least,
        breadcrumb: breadcrumb(&tree, root),
        ..result
    };
    Ok(Reply { result, columns })
}
