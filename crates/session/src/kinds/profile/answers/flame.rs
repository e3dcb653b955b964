//! [`protocol::Request::Flame`].

use layout::FlameView;
use profile::MetricId;
use protocol::{ErrorCode, FlameColumns, FlameParams, FlameResult, ProtocolError, Reply};

use super::nodes::{breadcrumb, node_of};
use crate::kinds::profile::pictures::boxes::{Boxes, painter};
use crate::kinds::profile::trees::views::view_of;
use crate::{ProfileDocument, lock};

/// Most boxes in an answer: what a page draws at 60 frames a second without a GPU.
const MOST_BOXES: usize = 20_000;

/// Most rows of an answer: a stack that is deeper than there may be boxes must not use them up.
const MOST_ROWS: u32 = 4_000;

pub(crate) fn flame(
    document: &ProfileDocument,
    params: &FlameParams,
) -> Result<Reply<FlameResult, FlameColumns>, ProtocolError> {
    let sound = [params.from, params.to, params.width].iter().all(|x| x.is_finite());
    if !sound || params.to <= params.from || params.width < 1.0 {
        let message = "a flame graph needs a left edge, a right edge beyond it and a width";
        return Err(ProtocolError::new(ErrorCode::BadRequest, message));
    }
    let view = view_of(document, &params.view)?;
    let mut tree = lock(&view.tree);
    let root = node_of(&view, &tree, params.instance, params.root)?;
    let layout = layout::flame(
        &mut tree,
        &FlameView {
            root,
            from: params.from,
            to: params.to,
            width: params.width,
            first_row: params.first_row,
            rows: params.rows.min(MOST_ROWS),
            most_boxes: MOST_BOXES,
        },
    );

    let metric = MetricId(params.view.metric);
    let painter = painter(document, &view, &mut tree, metric);
    let mut boxes = Boxes::new(document, &tree, painter, &params.search, params.labels)?;
    for entry in &layout.boxes {
        boxes.push(&mut tree, entry);
    }
    let (result, columns) = boxes.finish(&tree, view.instance, root);
    let result = FlameResult {
        merged_frames: layout.merged as f64,
        total_rows: layout.total_rows,
        narrowest: layout.narrowest,
        breadcrumb: breadcrumb(&tree, root),
        ..result
    };
    Ok(Reply { result, columns })
}
