//! What library nodes put on the network, on a small program of several states.

use sdfg::cost::{Certainty, Costs, Excess, Rules};
use sdfg::model::Program;
use sdfg::network::{Network, Pattern, Traffic};
use serde_json::{Value as Json, json};

/// A node with its buffers: connector and elements, first those that it reads.
fn state(class: &str, inputs: &[(&str, &str)], outputs: &[(&str, &str)]) -> Json {
    let mut nodes = vec![json!({"type": "LibraryNode", "label": "n", "classpath": class})];
    let mut edges = vec![];
    for (is_input, (connector, elements)) in
        inputs.iter().map(|one| (true, one)).chain(outputs.iter().map(|one| (false, one)))
    {
        nodes.push(json!({"type": "AccessNode", "attributes": {"data": "A"}}));
        let other = (nodes.len() - 1).to_string();
        let data = json!({"type": "Memlet", "attributes": {"data": "A", "volume": elements,
            "subset": {"type": "Range", "ranges": [{"start": "0", "end": format!("{elements} - 1")}]}}});
        edges.push(if is_input {
            json!({"src": other, "dst": "0", "dst_connector": connector, "attributes": {"data": data}})
        } else {
            json!({"src": "0", "dst": other, "src_connector": connector, "attributes": {"data": data}})
        });
    }
    json!({"type": "SDFGState", "label": "s", "nodes": nodes, "edges": edges})
}

fn program(blocks: &[Json], edges: &[Json]) -> Program {
    let array = json!({"type": "Array", "attributes": {"dtype": "float64", "shape": ["N"]}});
    let text = json!({"type": "SDFG", "attributes": {"name": "g", "_arrays": {"A": array}},
        "nodes": blocks, "edges": edges});
    sdfg::read(text.to_string().as_bytes(), &sdfg::Limits::default()).unwrap()
}

fn network(program: &Program) -> Network {
    Network::new(program, &Costs::new(program, Rules::Exact))
}

fn line(traffic: &Traffic) -> [String; 3] {
    [&traffic.sent, &traffic.received, &traffic.through].map(|bytes| bytes.to_string())
}

#[track_caller]
fn check(
    class: &str,
    inputs: &[(&str, &str)],
    outputs: &[(&str, &str)],
    (pattern, expected): (Pattern, Option<[&str; 3]>),
) {
    let network = network(&program(&[state(class, inputs, outputs)], &[]));
    let [one] = &network.nodes[..] else { panic!("{network:?}") };
    assert_eq!(one.pattern, pattern, "{class}");
    assert_eq!(one.each, one.in_all);
    let expected = expected.map(|all| all.map(str::to_owned));
    assert_eq!(one.each.as_ref().map(line), expected, "{class}");
    let is_known = expected.is_some();
    assert_eq!(network.unknown_count, usize::from(!is_known));
    let certainty = if is_known { Certainty::Exact } else { Certainty::Unknown };
    assert_eq!(network.total.certainty, certainty);
    if let Some(expected) = expected {
        assert_eq!(line(&network.total), expected);
    }
}

#[test]
fn buffers_are_what_goes_over_the_network() {
    let mpi = |module: &str| format!("dace.libraries.mpi.nodes.{module}");
    let one = |from, to| [(from, to)];
    let whole: [(&str, &str); 2] = [("_inbuffer", "N"), ("_root", "1")];
    let to_all = one("_outbuffer", "M*N");
    let send: [(&str, &str); 3] = [("_buffer", "N"), ("_dest", "1"), ("_tag", "1")];
    let sent = (Pattern::PointToPoint, Some(["8*N", "0", "8*N"]));
    check(&mpi("send.Send"), &send, &[], sent);
    check(&mpi("isend.Isend"), &send, &one("_request", "1"), sent);
    let received = (Pattern::PointToPoint, Some(["0", "8*N", "8*N"]));
    check(&mpi("recv.Recv"), &one("_src", "1"), &one("_buffer", "N"), received);
    check(&mpi("irecv.Irecv"), &[], &[("_buffer", "N"), ("_request", "1")], received);
    let same = one("_outbuffer", "N");
    check(&mpi("bcast.Bcast"), &whole, &same, (Pattern::FromRoot, Some(["8*N", "8*N", "8*N"])));
    let part = one("_outbuffer", "M");
    check(&mpi("scatter.Scatter"), &whole, &part, (Pattern::FromRoot, Some(["8*N", "8*M", "8*N"])));
    check(&mpi("reduce.Reduce"), &whole, &same, (Pattern::ToRoot, Some(["8*N", "8*N", "8*N"])));
    let all = Some(["8*N", "8*M*N", "8*M*N"]);
    check(&mpi("gather.Gather"), &whole, &to_all, (Pattern::ToRoot, all));
    let both = (Pattern::Everyone, Some(["8*N", "8*N", "16*N"]));
    check(&mpi("allreduce.Allreduce"), &one("_inbuffer", "N"), &same, both);
    check(&mpi("alltoall.Alltoall"), &one("_inbuffer", "N"), &same, both);
    let all = Some(["8*N", "8*M*N", "8*N*(M + 1)"]);
    check(&mpi("allgather.Allgather"), &whole[..1], &to_all, (Pattern::Everyone, all));
    let nothing = (Pattern::Silent, Some(["0", "0", "0"]));
    check(&mpi("wait.Waitall"), &one("_request", "2"), &[], nothing);
    let nccl = "dace.libraries.nccl.nodes.recv.Recv";
    check(nccl, &[], &same, received);
}

#[test]
fn what_is_not_known_says_so() {
    let unknown = (Pattern::Unknown, None);
    let both = ([("_inp_buffer", "N")], [("_out_buffer", "N")]);
    check("dace.libraries.mpi.nodes.redistribute.Redistribute", &both.0, &both.1, unknown);
    check("dace.libraries.pblas.nodes.pgemm.Pgemm", &[("_a", "N")], &[("_c", "N")], unknown);
    check("dace.libraries.pblas.nodes.reduce.Reduce", &[("_inbuffer", "N")], &[], unknown);
    // A buffer that is missing.
    check("dace.libraries.mpi.nodes.send.Send", &[], &[], (Pattern::PointToPoint, None));
    let half = [("_inbuffer", "N")];
    check("dace.libraries.mpi.nodes.bcast.Bcast", &half, &[], (Pattern::FromRoot, None));
}

#[test]
fn loops_send_again_and_branches_at_most_once() {
    let send = state("dace.libraries.mpi.nodes.send.Send", &[("_buffer", "i + 1")], &[]);
    let region = json!({"type": "LoopRegion", "label": "l", "attributes": {"loop_variable": "i",
        "init_statement": "i = 0", "loop_condition": "i < N", "update_statement": "i = i + 1"},
        "nodes": [send], "edges": []});
    let of_loop = network(&program(&[region], &[]));
    let in_all = of_loop.nodes[0].in_all.as_ref().unwrap();
    assert_eq!(line(in_all)[0], "4*N*(N + 1)");
    assert_eq!(in_all.certainty, Certainty::Exact);
    let branch = |state: Json| json!({"type": "ControlFlowRegion", "nodes": [state], "edges": []});
    let send = state("dace.libraries.mpi.nodes.send.Send", &[("_buffer", "N")], &[]);
    let wait = state("dace.libraries.mpi.nodes.wait.Wait", &[("_request", "1")], &[]);
    let choice = json!({"type": "ConditionalBlock", "label": "c",
        "branches": [["A[0] > 0", branch(send)], [null, branch(wait)]]});
    let of_branches = network(&program(&[choice], &[]));
    assert_eq!(line(&of_branches.total)[0], "8*N");
    assert_eq!(of_branches.total.certainty, Certainty::AtMost(Excess::Branches));
}

#[test]
fn other_nodes_are_not_of_the_network() {
    let sum =
        state("dace.libraries.standard.nodes.reduce.Reduce", &[("_in", "N")], &[("_out", "1")]);
    let network = network(&program(&[sum], &[]));
    assert_eq!((network.nodes.len(), network.total.sent.to_string()), (0, "0".to_owned()));
}

#[test]
fn sending_is_no_work_and_combining_is_not_known() {
    let work = |class: &str| {
        let one = state(class, &[("_inbuffer", "N")], &[("_outbuffer", "N")]);
        Costs::new(&program(&[one], &[]), Rules::Exact).total.work.to_string()
    };
    assert_eq!(work("dace.libraries.mpi.nodes.bcast.Bcast"), "0");
    assert_eq!(work("dace.libraries.mpi.nodes.reduce.Reduce"), "n_work");
}
